// Chain matches: which part of one creature drives which part of another, joint by joint.
// Data flow: two CreatureMaps → *here* → creature_stance.h, retarget_creature.h.
#pragma once

#include <sinew/skeleton/creature.h>
#include <string>
#include <vector>

namespace sinew {

// A target joint at its share of the way along a chain, and the two source joints around that place.
struct JointDrive {
    int32_t target = -1;
    int32_t source_a = -1, source_b = -1;
    double blend = 0;  // 0: all of a
};

struct ChainMatch {
    std::string part;           // "spine", "left front leg"
    JointChain source, target;  // landmarks agree: the first joints, and of legs the feet
    std::vector<JointDrive> drives;
    bool shaped = false;  // an arm or a wing: its shape matters more than how the body holds it at rest
    bool leg = false;
    size_t source_foot = 0, target_foot = 0;  // of legs: index of the foot
};

// Chains of equal length match joint by joint. Others match by the length along the chain, so that the bend of a spine
// of three joints spreads over a spine of five. A part that one of the bodies lacks is left out, but a neck that the
// source lacks turns halfway between chest and head.
std::vector<ChainMatch> match_chains(const Skeleton& source_skeleton, const CreatureMap& source,
                                     const Skeleton& target_skeleton, const CreatureMap& target);

}  // namespace sinew
