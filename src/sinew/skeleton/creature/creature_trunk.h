// Creature trunk: spine, neck, head, jaw and tail of a body whose pairs of limbs are known.
// Data flow: creature_reading.h → *here* → creature_kinds.h.
#pragma once

#include <sinew/skeleton/creature/creature_reading.h>

namespace sinew {

// The way from one trunk joint to another, both included.
JointChain path_between(const CreatureTree& tree, int32_t from, int32_t to);

// Neck and head: the way ahead and up from the front of the spine; and the jaw.
void find_neck_and_head(const CreatureReading& reading, const Vec3d& forward, CreatureMap& map);
// The tail: the way behind the hind legs. Rigify calls it spine.
void find_tail(const CreatureReading& reading, const Vec3d& forward, CreatureMap& map);

// The sine of the angle by which the spine rises.
double trunk_rise(const CreatureTree& tree, const JointChain& spine, const Vec3d& up);
// The joint at which the ways to all chains part.
int32_t common_root(const CreatureTree& tree, const CreatureMap& map);

}  // namespace sinew
