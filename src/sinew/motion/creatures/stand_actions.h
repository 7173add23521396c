// Actions on the spot of creatures with legs: idle, sit, shake. All feet stay planted.
// Data flow: CreatureBody → *here*, legs by leg_solver.h → CreaturePoses.
#pragma once

#include <sinew/motion/creatures/legged_gait.h>

namespace sinew {

// Breathes, shifts its weight, looks about, moves its tail.
CreaturePoses creature_idle_poses(const CreatureBody& body, double fps);
// Lowers its hind quarters, sits, gets up again. Requires front and hind legs.
CreaturePoses sit_poses(const CreatureBody& body, double fps);
// Shakes itself dry from the head to the tail [Dickerson2012].
CreaturePoses shake_poses(const CreatureBody& body, double fps);

}  // namespace sinew
