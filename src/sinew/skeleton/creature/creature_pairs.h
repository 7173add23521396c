// Creature pairs: branches of a skeleton that mirror each other: legs, arms, wings, fins, ears. Internal to
// creature.cpp. Data flow: Skeleton → *here* → creature.cpp.
#pragma once

#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/creature/creature_words.h>
#include <array>

namespace sinew {

// A skeleton and what the searches need to know of it. `out` marks joints that count for nothing: controls, and what
// hangs only on them.
struct CreatureTree {
    const Skeleton& skeleton;
    std::vector<CreatureName> names;
    std::vector<Vec3d> position;                 // world, at rest
    std::vector<std::vector<int32_t>> children;  // without those that are out
    std::vector<char> out;
    std::vector<double> reach;  // the longest way along the bones below a joint
    std::vector<int32_t> depth;
    double size = 0;     // diagonal of the box around all joints that are not out
    bool grown = false;  // a rig that Sinew grew: it stands on +Y, faces +Z and is mirrored at x = 0, as far as it is

    int32_t parent(int32_t joint) const { return skeleton.parents()[static_cast<size_t>(joint)]; }
    const Vec3d& at(int32_t joint) const { return position[static_cast<size_t>(joint)]; }
    const CreatureName& name(int32_t joint) const { return names[static_cast<size_t>(joint)]; }
    const std::vector<int32_t>& below(int32_t joint) const { return children[static_cast<size_t>(joint)]; }
    bool is_above(int32_t ancestor, int32_t joint) const {  // or the same
        while (joint > ancestor) joint = parent(joint);
        return joint == ancestor;
    }
    int32_t meet(int32_t a, int32_t b) const {
        while (a != b && a >= 0 && b >= 0) (a > b ? a : b) = parent(std::max(a, b));
        return a == b ? a : -1;
    }
    // `first` and, at each joint, the child with the longest reach.
    JointChain longest_chain(int32_t first) const;
};
CreatureTree make_creature_tree(const Skeleton& skeleton);

struct BranchPair {
    int32_t base = -1;                       // the joint that both hang on
    std::array<JointChain, 2> chain;         // of equal length
    double length = 0;                       // from the base to the tips; the mean of both
    CreaturePart part = CreaturePart::none;  // what most names say
    LegPlace place = LegPlace::none;
};

struct PairedBody {
    std::vector<BranchPair> pairs;  // none inside another's branches; in the order of their bases
    std::vector<char> paired;       // per joint: belongs to a branch of a pair
    Vec3d across = Vec3d::Zero();   // unit: from one side to the other, at right angles to `up`; zero without pairs
};
PairedBody find_pairs(const CreatureTree& tree, const Vec3d& up);

}  // namespace sinew
