#include <sinew/skeleton/puppet.h>

#include <sinew/skeleton/creature/creature_pairs.h>
#include <sinew/skeleton/humanoid.h>
#include <algorithm>

namespace sinew {
namespace {

constexpr double one_place = 0.05;  // of the body's size: what lies nearer to a joint is no bone of its own

// The one limb of that kind on that side: its joint, or −1 where there are several or it has bones below.
int32_t lone_limb(const CreatureTree& tree, CreaturePart part, Side side) {
    int32_t limb = -1;
    for (size_t j = 0; j < tree.names.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        if (tree.out[j]) continue;
        if (limb >= 0 && tree.is_above(limb, joint)) {
            if ((tree.at(joint) - tree.at(limb)).norm() > one_place * tree.size) return -1;
            continue;
        }
        if (tree.names[j].part != part || tree.names[j].side != side) continue;
        if (limb >= 0) return -1;
        limb = joint;
    }
    return limb;
}

// The joint of the trunk or the head that is nearest to the root.
int32_t first_named(const CreatureTree& tree, CreaturePart part, int32_t below) {
    for (size_t j = 0; j < tree.names.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        if (!tree.out[j] && joint != below && tree.names[j].part == part && tree.is_above(below, joint)) return joint;
    }
    return -1;
}

}  // namespace

std::optional<PuppetMap> recognise_puppet(const Skeleton& skeleton) {
    const CreatureTree tree = make_creature_tree(skeleton);
    PuppetMap map;
    for (size_t side = 0; side < 2; ++side) {
        map.leg[side] = lone_limb(tree, CreaturePart::leg, side == 0 ? Side::left : Side::right);
        map.arm[side] = lone_limb(tree, CreaturePart::arm, side == 0 ? Side::left : Side::right);
    }
    if (std::ranges::min(map.leg) < 0 || std::ranges::min(map.arm) < 0) return {};
    // Parts of a mesh that share one origin are no joints.
    const auto apart = [&](const std::array<int32_t, 2>& pair) {
        return (tree.at(pair[0]) - tree.at(pair[1])).norm() > one_place * tree.size;
    };
    if (!apart(map.leg) || !apart(map.arm)) return {};
    map.hips = tree.meet(tree.meet(map.leg[0], map.leg[1]), tree.meet(map.arm[0], map.arm[1]));
    if (map.hips < 0 || map.hips == map.leg[0] || map.hips == map.leg[1]) return {};
    map.torso = first_named(tree, CreaturePart::trunk, map.hips);
    map.head = first_named(tree, CreaturePart::head, map.hips);
    return map;
}

}  // namespace sinew
