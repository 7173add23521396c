#include <sinew/skeleton/creature/creature_kinds.h>

#include <sinew/skeleton/creature/creature_limbs.h>
#include <sinew/skeleton/creature/creature_trunk.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double legs_apart = 0.15;    // of a leg: front and hind legs stand this far from each other, at least
constexpr size_t least_serpent = 5;    // joints
constexpr size_t least_fish = 3;       // joints of one that a name tells
constexpr double serpent_slope = 0.7;  // a snake lies: its ends differ in height by less than this share of its length

// A root that only places the body, beside its chain: not as far from its child as bones are from each other, or not in
// line with them.
bool is_plain_root(const CreatureTree& tree, int32_t joint) {
    if (tree.parent(joint) >= 0 || tree.below(joint).size() != 1) return false;
    const int32_t child = tree.below(joint)[0];
    if (tree.below(child).size() != 1) return true;
    const Vec3d first = tree.at(child) - tree.at(joint), second = tree.at(tree.below(child)[0]) - tree.at(child);
    const double a = first.norm(), b = second.norm();
    constexpr double alike = 3.0, in_line_cos = 0.5;
    return !(a * alike > b && b * alike > a && first.dot(second) > in_line_cos * a * b);
}

// The highest joint above this one, or itself, that a name calls part of the trunk.
int32_t top_of_trunk(const CreatureTree& tree, int32_t joint) {
    int32_t top = joint;
    for (int32_t above = joint; above >= 0; above = tree.parent(above))
        if (tree.name(above).part == CreaturePart::trunk) top = above;
    return top;
}

// A fin that stands on the back tells a fish whose other fins mirror each other badly, as on a rig that was grown.
bool has_back_fin(const CreatureReading& reading, const JointChain& backbone, const Vec3d& forward) {
    constexpr double least_rise = 0.06, midline = 0.03;  // of the body's size
    const CreatureTree& tree = reading.tree;
    const Vec3d left = reading.up.cross(forward);
    for (size_t j = 0; j < tree.position.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        if (tree.out[j] || !reading.on_trunk(joint) || std::ranges::find(backbone, joint) != backbone.end()) continue;
        int32_t foot = joint;
        while (foot >= 0 && std::ranges::find(backbone, foot) == backbone.end()) foot = tree.parent(foot);
        if (foot < 0) continue;
        const Vec3d rise = tree.at(joint) - tree.at(foot);
        if (rise.dot(reading.up) > std::max(least_rise * tree.size, std::abs(rise.dot(forward))) &&
            std::abs(rise.dot(left)) < midline * tree.size)
            return true;
    }
    return false;
}

bool is_called_fish(const CreatureTree& tree) {
    return std::ranges::any_of(tree.skeleton.names(), names_a_fish);
}

}  // namespace

std::optional<CreatureMap> with_legs(const CreatureReading& reading, const Vec3d& forward) {
    const CreatureTree& tree = reading.tree;
    CreatureMap map;
    map.legs = make_limbs(reading, reading.legs, forward, true);
    const int32_t hind = tree.parent(map.legs.back().joints.front());
    int32_t front = tree.parent(map.legs.front().joints.front());
    if (reading.legs.size() == 1) {
        const BranchPair* upper = main_upper_pair(reading, hind);
        front = upper ? upper->base : hind;
    } else {
        const auto socket = [&](const CreatureLimb& leg) { return tree.at(leg.joints[leg.socket]); };
        const double apart = (socket(map.legs.front()) - socket(map.legs.back())).dot(forward);
        if (apart < legs_apart * reading.legs[0]->length) return std::nullopt;
    }
    map.spine = path_between(tree, hind, front);
    find_neck_and_head(reading, forward, map);
    find_tail(reading, forward, map);
    place_others(reading, forward, map);
    if (reading.legs.size() == 2) {
        if (map.head.empty() && map.tail.empty()) return std::nullopt;  // a table
        map.kind = CreatureKind::quadruped;
    } else {
        if (map.wings.empty() && map.arms.empty() && map.head.empty()) return std::nullopt;
        map.kind = !map.wings.empty() && map.arms.empty() ? CreatureKind::bird : CreatureKind::biped;
        if (map.wings.empty() && map.arms.empty() && trunk_rise(tree, map.spine, reading.up) < flat_trunk_sin &&
            map.spine.size() > 1)
            map.kind = CreatureKind::bird;
    }
    return map;
}

std::optional<CreatureMap> in_the_air(const CreatureReading& reading, const Vec3d& forward) {
    const CreatureTree& tree = reading.tree;
    const auto wings = std::ranges::find(reading.others, CreaturePart::wing, &BranchPair::part);
    if (wings == reading.others.end()) return std::nullopt;
    const int32_t carrier = (*wings)->base;
    double lowest = INFINITY;
    for (size_t j = 0; j < tree.position.size(); ++j)
        if (!tree.out[j] && reading.on_trunk(static_cast<int32_t>(j)) &&
            tree.is_above(carrier, static_cast<int32_t>(j)))
            lowest = std::min(lowest, tree.position[j].dot(reading.up));
    constexpr double hang = 0.02;  // of the body's size: feet of what stands are not that far above any part of it
    if (!reading.legs.empty() && reading.ground < lowest + hang * tree.size) return std::nullopt;
    CreatureMap map;
    map.kind = CreatureKind::bird;
    map.spine = path_between(tree, top_of_trunk(tree, carrier), carrier);
    find_neck_and_head(reading, forward, map);
    find_tail(reading, forward, map);
    place_others(reading, forward, map);
    map.arms.clear();
    map.fins.clear();
    return map;
}

bool is_radial(const CreatureTree& tree) {
    constexpr double like = 0.8, least = 0.2;
    constexpr size_t arms = 5;
    for (size_t j = 0; j < tree.children.size(); ++j) {
        const double longest = tree.reach[j];
        if (longest < least * tree.size || tree.children[j].size() < arms) continue;
        const auto long_branches = std::ranges::count_if(tree.children[j], [&](int32_t child) {
            const double length = (tree.at(child) - tree.position[j]).norm() + tree.reach[static_cast<size_t>(child)];
            return length > like * longest;
        });
        if (static_cast<size_t>(long_branches) >= arms) return true;
    }
    return false;
}

bool is_many_armed(const CreatureTree& tree) {
    constexpr double long_share = 0.5;  // of the longest chain
    constexpr size_t many = 8;          // a winged body with legs, arms, head and tail has seven
    for (const CreatureName& name : tree.names)
        if (name.part != CreaturePart::none && name.part != CreaturePart::helper && name.part != CreaturePart::trunk)
            return false;
    std::vector<double> lengths;
    for (const JointChain& chain : decompose(tree)) {
        const int32_t above = tree.parent(chain.front());
        double length = above < 0 ? 0.0 : (tree.at(chain.front()) - tree.at(above)).norm();
        for (size_t i = 1; i < chain.size(); ++i) length += (tree.at(chain[i]) - tree.at(chain[i - 1])).norm();
        lengths.push_back(length);
    }
    if (lengths.empty()) return false;
    const double longest = *std::ranges::max_element(lengths);
    const auto count = std::ranges::count_if(lengths, [&](double length) { return length > long_share * longest; });
    return static_cast<size_t>(count) >= many;
}

std::optional<CreatureMap> without_legs(const CreatureReading& reading, const Vec3d& forward) {
    const CreatureTree& tree = reading.tree;
    int32_t ahead = -1, behind = -1;
    const auto along = [&](int32_t joint) { return tree.at(joint).dot(forward); };
    for (size_t j = 0; j < tree.position.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        if (tree.out[j] || !reading.on_trunk(joint)) continue;
        if (ahead < 0 || along(joint) > along(ahead) + 1e-9) ahead = joint;
    }
    if (ahead < 0) return std::nullopt;
    size_t most = 0;
    JointChain whole;
    for (size_t j = 0; j < tree.position.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        if (tree.out[j] || !reading.on_trunk(joint) || tree.meet(joint, ahead) < 0) continue;
        JointChain path = path_between(tree, joint, ahead);
        if (is_plain_root(tree, joint)) continue;
        if (path.size() < most || (path.size() == most && behind >= 0 && along(joint) >= along(behind))) continue;
        most = path.size();
        behind = joint;
        whole = std::move(path);
    }
    const Vec3d extent = tree.at(ahead) - tree.at(std::max(behind, 0));
    const bool called_fish = is_called_fish(tree);
    if (whole.size() < (called_fish ? least_fish : least_serpent) ||
        std::abs(extent.dot(reading.up)) > serpent_slope * extent.norm())
        return std::nullopt;
    CreatureMap map;
    const auto share = [&](const JointChain& chain) {
        double length = 0;
        for (size_t i = 1; i < chain.size(); ++i) length += (tree.at(chain[i]) - tree.at(chain[i - 1])).norm();
        return length;
    };
    place_others(reading, forward, map);
    const bool fish = !map.fins.empty() || called_fish || has_back_fin(reading, whole, forward);
    // A grown snake may lie any way: creature_body.cpp turns it to where it goes.
    if (!fish && tree.grown) return std::nullopt;
    // A snake is little more than its one chain.
    if (!fish && share(whole) < 0.6 * tree.size) return std::nullopt;
    double all = 0;
    for (size_t j = 0; j < tree.position.size(); ++j)
        if (!tree.out[j] && tree.parent(static_cast<int32_t>(j)) >= 0)
            all += (tree.position[j] - tree.at(tree.parent(static_cast<int32_t>(j)))).norm();
    if (!fish && share(whole) < 0.5 * all) return std::nullopt;
    map.kind = fish ? CreatureKind::fish : CreatureKind::serpent;
    if (fish) {
        const int32_t root = tree.meet(behind, ahead);
        map.spine = {root};
        find_neck_and_head(reading, forward, map);
        find_tail(reading, forward, map);
        return map;
    }
    map.spine = whole;
    const size_t head = whole.size() >= 3 && tree.name(whole[whole.size() - 2]).part == CreaturePart::head
                            ? whole.size() - 2
                            : whole.size() - 1;
    map.head.assign(whole.begin() + static_cast<std::ptrdiff_t>(head), whole.end());
    map.spine.resize(head);
    return map;
}

}  // namespace sinew
