// Same tree: tells whether two skeletons are one under other names. Data flow: retarget.cpp → *here*.
#pragma once

#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/skeleton.h>

namespace sinew {

// True where the joints hang together alike, in the same order, all bones have the same length up to one scale, and the
// bodies are not mirror images of each other. Names, joint frames and the rest pose may differ.
bool is_same_tree(const Skeleton& a, const Skeleton& b);

// Of two maps of one tree the one with more names behind it serves both, each with its own directions.
void share_roles(const Skeleton& a, const Skeleton& b, HumanoidMap& map_a, HumanoidMap& map_b);
void share_roles(const Skeleton& a, const Skeleton& b, CreatureMap& map_a, CreatureMap& map_b);

}  // namespace sinew
