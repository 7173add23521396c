// Creature kinds: what a body is, one function per way of being built. Data flow: creature_reading.h → *here* →
// creature.cpp, which asks them in turn.
#pragma once

#include <sinew/skeleton/creature/creature_reading.h>
#include <optional>

namespace sinew {

// On one or two pairs of legs. Nothing for a table.
std::optional<CreatureMap> with_legs(const CreatureReading& reading, const Vec3d& forward);
// A fish or a snake: the longest way along the middle, from behind to ahead.
std::optional<CreatureMap> without_legs(const CreatureReading& reading, const Vec3d& forward);
// What hovers on wings that names tell: no legs, or legs that hang above its lowest part, as a wasp's in flight.
std::optional<CreatureMap> in_the_air(const CreatureReading& reading, const Vec3d& forward);
// Five or more long branches of like length on one joint: an octopus, a starfish, an insect.
bool is_radial(const CreatureTree& tree);
// The same where they hang on several joints, as on a rig that was grown, and no name tells legs from arms.
bool is_many_armed(const CreatureTree& tree);

// A human body, as recognise_humanoid sees it, in the words of pairs; `pairs` holds what the reading points to.
std::optional<CreatureReading> humanoid_reading(const CreatureTree& tree, const HumanoidMap& roles,
                                                std::vector<BranchPair>& pairs, Vec3d& forward);
CreatureMap read_humanoid(const CreatureReading& reading, const HumanoidMap& roles, const Vec3d& forward);

}  // namespace sinew
