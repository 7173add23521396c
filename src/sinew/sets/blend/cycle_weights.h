// Cycle weights: how much each loop counts in a motion of given speed, turn and slope.
// Data flow: MotionLoops + what is asked for → *here* → parametric_motion.h.
#pragma once

#include <sinew/sets/blend/motion_cycle.h>
#include <Eigen/Core>

namespace sinew {

// In the body's units, seconds and radians.
struct LoopWish {
    double speed = 0, turn = 0, slope = 0;
};

// None below 0, together 1. They meet Σ w·way = speed · Σ w·time, and turn and slope likewise, as nearly as can be;
// of all such weights those that prefer loops near the wish and are even among them.
Eigen::VectorXd cycle_weights(const std::vector<MotionLoop>& loops, const LoopWish& wish);

}  // namespace sinew
