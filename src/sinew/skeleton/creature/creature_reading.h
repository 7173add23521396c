// Creature reading: everything that is found out about one body, with one direction taken as up: which pairs are legs,
// and where the ground is. Data flow: creature_pairs.h → *here* → creature_trunk.h, creature_limbs.h, creature_kinds.h.
#pragma once

#include <sinew/skeleton/creature/creature_pairs.h>

namespace sinew {

struct LegFit {
    size_t socket = 0, low = 0;  // indices into the chain
    double drop = 0;             // from the socket to the lowest joint
    double down = 0;             // cosine of the straight line from socket to foot, downwards
    double ground = 0;           // height of the lowest joint
};

LegFit fit_leg(const CreatureTree& tree, const JointChain& chain, const Vec3d& up);

struct CreatureReading {
    const CreatureTree& tree;
    PairedBody body;
    Vec3d up;
    std::vector<const BranchPair*> legs, others;  // others: arms, wings, fins; ears and the like are in neither
    double ground = 0;

    bool on_trunk(int32_t joint) const { return !body.paired[static_cast<size_t>(joint)]; }
};

CreatureReading read_body(const CreatureTree& tree, const Vec3d& up);

// Which way it looks: as names say, else as its structure does. Unit, at right angles to `up`.
Vec3d find_forward(const CreatureReading& reading);

// The height of a pair's lower tip.
double pair_height(const CreatureTree& tree, const BranchPair& pair, const Vec3d& up);
Vec3d middle(const CreatureTree& tree, const JointChain& joints);

}  // namespace sinew
