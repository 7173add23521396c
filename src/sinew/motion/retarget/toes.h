// Toes: bends the toes of a foot that stands on its ball, so that they lie on the ground instead of piercing it.
// Data flow: target frames with the feet in place (feet.h) → *here* → target frames.
#pragma once

#include <sinew/motion/retarget/feet.h>

namespace sinew {

// Bends toes upwards only, and only as far as the ground requires. Toes without a drive stay as they are.
void lift_toes(const Body& target, const std::vector<Drive>& drives, const FeetPlan& plan, TargetMotion& motion);

}  // namespace sinew
