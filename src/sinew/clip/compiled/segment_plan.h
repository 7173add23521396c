// Where a clip is cut into segments, and at which times each is measured.
// Data flow: Clip → *here* → encode_segment.cpp.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/clip/compiled/compiled_clip.h>
#include <vector>

namespace sinew {

struct SegmentPlan {
    float start = 0.0f, end = 0.0f;
    std::vector<float> keys;   // and what divides long gaps between them
    int intervals = 0;         // between those
    int parts = 1;             // of each that are measured
    std::vector<float> times;  // keys, and times between them; increasing, from start to end
};

// Segments begin and end at keys, or within long gaps between keys. A jump (the first frame of much motion capture is a
// pose of its own) gets a segment for itself, and no rotation goes farther than a chart reaches. The clip is sampled
// over the pose `rest`.
std::vector<SegmentPlan> plan_segments(const Clip& clip, const Pose& rest, double segment_seconds);

// A segment that no splines follow, in two or three: cut around the largest turn between two keys.
std::vector<SegmentPlan> split_segment(const Clip& clip, const Pose& rest, const SegmentPlan& plan);

}  // namespace sinew
