// What the sampling kernel is given: a moment of a compiled clip, and where its joints go.
// Data flow: sample_compiled.cpp, clip/runtime/crowd.cpp → *here* → sample_kernel.cpp, compiled once per instruction
// set.
#pragma once

#include <sinew/clip/compiled/compiled_clip.h>

namespace sinew {

// Joint j's numbers are written `stride` floats apart: four of a rotation, three of the others.
struct JointStream {
    float* data = nullptr;
    size_t stride = 0;
};

struct SampleJob {
    const CompiledClip* clip = nullptr;
    const CompiledClip::Segment* segment = nullptr;
    float place = 0.0f;  // 0 to 1 within the segment
    JointStream rotations, translations, scales;
    float* floats = nullptr;
};

// What moves by splines; what stands still and raw tracks are the caller's. The readable twin is sample_scalar().
void sample_groups_kernel(const SampleJob& job);

// A time that is not a number is the start.
inline float clamp_to_clip(const CompiledClip& clip, float time) {
    return time > clip.start() ? (time < clip.end() ? time : clip.end()) : clip.start();
}
// Where in its segment a clamped time lies.
inline float place_in_segment(const CompiledClip::Segment& segment, float time) {
    const float place = (time - segment.start) * segment.per_second;
    return place < 0.0f ? 0.0f : place > 1.0f ? 1.0f : place;
}

}  // namespace sinew
