// Arm solve: moves an arm over a whole clip to its goals, out of the body and above the floor, as little and as
// smoothly as possible. Data flow: ArmPath + WristGoals + BodyMotion → *here* → ArmPath.
#pragma once

#include <sinew/motion/touch/arm_goals.h>

namespace sinew {

// The parts of a body that its arms must stay out of, in one frame. A part that the body lacks is null.
constexpr std::array obstacle_names = {PartName::trunk, PartName::head, PartName::left_thigh, PartName::right_thigh};
using Obstacles = std::array<PosedPart, obstacle_names.size()>;
std::vector<Obstacles> pose_obstacles(const BodyMotion& body);

// What an arm is moved among, and where to.
struct ArmTask {
    const BodyMotion& body;
    std::span<const Obstacles> obstacles;           // one per frame
    std::span<const std::vector<WristGoal>> goals;  // of each touch, one per frame
    double fps = 30;
};

// One Gauss–Newton step for the frames [first, end) of one arm, banded over time: linear in frames. The first and the
// last two of them stay where they are, unless the clip begins or ends there. `damping` is the weight of the step's own
// length, against that of the move, which is 1. Sets ArmPath::change of these frames.
void improve_arm(const ArmTask& task, size_t first, size_t end, double damping, ArmPath& arm);

// Frames in which the arm, where it is now, lies in the body or below the floor.
std::vector<bool> frames_inside(const BodyMotion& body, std::span<const Obstacles> obstacles, const ArmPath& arm);

}  // namespace sinew
