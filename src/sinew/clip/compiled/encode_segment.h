// One segment in a closed loop: each joint is fitted against its parent as it will be decoded, and tolerances are
// shared out so that the model-space error comes close to the bound everywhere and passes it nowhere.
// Data flow: segment_plan.h → *here* (encode_item.h) → compile_clip.cpp.
#pragma once

#include <sinew/clip/compiled/encode_item.h>
#include <sinew/clip/compiled/segment_plan.h>

namespace sinew {

// What the clip moves. All else keeps the pose `base`.
struct Movers {
    Pose rest;                                // what a clip is sampled over
    Pose base;                                // the same with the clip's constants
    std::vector<std::array<bool, 3>> joints;  // per joint: by ItemKind
    std::vector<uint16_t> floats;
};

struct EncodedSegment {
    std::vector<EncodedItem> items;
    std::vector<Track> raw;
    bool kept = true;  // false: the bound was not kept, and all is raw
};

// `bound` may be less than what the options say. With `all_raw` nothing is fitted.
EncodedSegment encode_segment(const Clip& clip, const Skeleton& skeleton, const SegmentPlan& plan, const Movers& movers,
                              const CompileOptions& options, double bound, bool all_raw);

// The segment's groups, as clip_format.h has them. Returns their number.
uint32_t pack_groups(std::vector<EncodedItem> items, int id_bytes, Bytes& to);

}  // namespace sinew
