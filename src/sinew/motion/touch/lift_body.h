// Lift body: raises the root of a character whose trunk, head or knees would go below the floor.
// Data flow: the target's poses and shape → *here* → the hips' path, before contacts of the feet are planned.
#pragma once

#include <sinew/motion/touch/touches.h>

namespace sinew {

// By how much to raise each frame along up: 0 where nothing is below the floor and all around; smooth over time.
std::vector<double> lift_body(const BodyMotion& target, double fps);

// The smoothest curve that is nowhere below `need`, as far as a stiff spring allows, and is zero away from the needs.
// It begins and ends `lead` seconds around them.
std::vector<double> smooth_envelope(std::span<const double> need, double fps, double lead);

}  // namespace sinew
