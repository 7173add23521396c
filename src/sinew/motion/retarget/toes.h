// Toes: bends the toes of a foot that stands on its ball, so that they lie on the ground instead of going through it.
// Data flow: target frames, feet already in place (feet.h) → *here* → target frames.
#pragma once

#include <sinew/motion/retarget/feet.h>

namespace sinew {

// Only upwards, as far as the ground asks, and only where toes are driven.
void lift_toes(const Body& target, const std::vector<Drive>& drives, const FeetPlan& plan, TargetMotion& motion);

}  // namespace sinew
