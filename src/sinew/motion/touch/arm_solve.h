// Arm solve: moves an arm over a whole clip to its goals, out of the body and above the floor, as little and as
// smoothly as possible. Data flow: ArmPath + WristGoals + BodyMotion → *here* → ArmPath.
#pragma once

#include <sinew/motion/touch/arm_goals.h>

namespace sinew {

// One Gauss–Newton step for the frames [first, end) of one arm, banded over time: linear in frames. `goals` holds the
// goals of each touch. `damping` is the weight of the step's own length, against that of the move, which is 1. Returns
// the longest change of a move.
double improve_arm(const BodyMotion& body, double fps, std::span<const std::vector<WristGoal>> goals, size_t first,
                   size_t end, double damping, ArmPath& arm);

// Frames in which the arm, where it is now, lies in the body or below the floor.
std::vector<bool> frames_inside(const BodyMotion& body, const ArmPath& arm);

}  // namespace sinew
