// Toe bend: bends the toes of a foot that stands on its ball, so that they lie on the ground instead of piercing it.
// Data flow: LegMotion with the feet turned → *here* → LegMotion → joint_solve.h.
#pragma once

#include <sinew/motion/plant/leg_motion.h>

namespace sinew {

// Bends toes upwards only, and only as far as their skin would pierce the ground. `ball_rest` is the height of the ball
// over the sole of a flat foot, `ball_height` how high the ball is above that in each frame.
void bend_toes(const Body& target, size_t side, const FootSkin& skin, double ball_rest,
               const std::vector<double>& ball_height, double fps, LegMotion& leg);

}  // namespace sinew
