// Creature limbs: legs, arms, wings and fins made of pairs of branches; the chains of a body of no known kind.
// Data flow: creature_reading.h → *here* → creature_kinds.h.
#pragma once

#include <sinew/skeleton/creature/creature_reading.h>

namespace sinew {

// A bird's trunk rises less than this, a biped's more: the sine of 25 degrees.
constexpr double flat_trunk_sin = 0.42;

// From front to back, left before right.
std::vector<CreatureLimb> make_limbs(const CreatureReading& reading, std::vector<const BranchPair*> pairs,
                                     const Vec3d& forward, bool legs);
// The pairs that are no legs, as arms, wings or fins of `map`.
void place_others(const CreatureReading& reading, const Vec3d& forward, CreatureMap& map);
// The pair of arms or wings that is longest: its base ends the spine of a body on two legs.
const BranchPair* main_upper_pair(const CreatureReading& reading, int32_t hips);
// All chains of a body of no known kind: at each joint the longest branch goes on, the others begin chains of their
// own.
std::vector<JointChain> decompose(const CreatureTree& tree);

}  // namespace sinew
