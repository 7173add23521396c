// Calm together: joints move together and their noise does not, so what smoothing each alone left of it can be told.
// Data flow: smoothed signals of the joints, how noisy they were → *here* → signals → clean_joint.h.
#pragma once

#include <sinew/sets/clean/smooth_curve.h>
#include <vector>

namespace sinew {

// A rotation that was smoothed by itself.
struct SmoothedCurve {
    Signal* signal = nullptr;
    double noise = 0;   // before, all channels together
    double cutoff = 0;  // in 1/frames
};

// The frames as a matrix whose main movements (singular vectors) are shrunk by what noise adds to them: those that it
// would make by itself go [Gavish2017]. Time is linear in the frames.
void calm_together(const std::vector<SmoothedCurve>& curves);

}  // namespace sinew
