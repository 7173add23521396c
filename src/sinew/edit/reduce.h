// Reduced clips: fewer keys, and no point of the body farther from where it was than a bound. Data flow: Clip → *here*
// → Clip of linear and cubic keys, as glTF has them.
#pragma once

#include <sinew/edit/frames.h>
#include <span>

namespace sinew {

struct ReduceOptions {
    double bound = 5e-4;  // metres, in model space
    double shell = 0.1;   // metres: points this far from each joint, along its axes, are held to the bound too
};

struct ReducedClip {
    Clip clip;
    size_t keys_before = 0, keys_after = 0;  // of all tracks
    double worst_error = 0.0;                // metres, measured
};

// The bound holds at every key of the original and midway between them, as sample() plays both clips: it is measured,
// and keys are added until it holds. Steps and morph weights stay as they are. A track is never made longer: one
// that does not shrink is kept as it is. Deterministic. O(tracks · keys · log keys), times the few rounds that the
// search takes.
ReducedClip reduce_clip(const Clip& clip, const ClipBody& body, const ReduceOptions& options = {});

// The largest distance between two clips of one body, over joints and shell points, at these times.
double model_space_error(const Clip& a, const Clip& b, const ClipBody& body, std::span<const float> times,
                         double shell);

}  // namespace sinew
