// Sway: what has no legs to go on moves in its place, branch by branch, as trees do in wind and arms in water.
// Data flow: CreatureBody → *here* → CreaturePoses.
#pragma once

#include <sinew/motion/creatures/legged_gait.h>

namespace sinew {

// The lowest joint stays where it is; bends grow and lag with the distance from it, each branch in a time of its own.
CreaturePoses sway_poses(const CreatureBody& body, double fps);

}  // namespace sinew
