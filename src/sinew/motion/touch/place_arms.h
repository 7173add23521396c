// Place arms: hands that touch the body, each other or the floor in the source do so on the target, and arms stay out
// of the body. Data flow: TouchScene → *here* (touches.h → arm_goals.h → arm_solve.h) → how the arms' bones turn.
#pragma once

#include <sinew/motion/touch/arm_goals.h>

namespace sinew {

// World rotations to put in front of the bones' own in one frame: new world rotation = turn · old one. All are the
// identity where the arm stays as it is.
struct ArmTurn {
    Quatd upper = Quatd::Identity(), lower = Quatd::Identity(), hand = Quatd::Identity();
};

struct ArmTurns {
    std::array<std::vector<ArmTurn>, 2> side;  // 0 is left; empty where that arm stays as it is throughout
};

// `forward`: the way the target faces in its reference pose. Linear in frames.
ArmTurns place_arms(const TouchScene& scene, const Vec3d& forward);

}  // namespace sinew
