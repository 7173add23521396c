#include <sinew/skeleton/creature/creature_kinds.h>

#include <sinew/skeleton/creature/creature_limbs.h>
#include <sinew/skeleton/creature/creature_trunk.h>
#include <algorithm>
#include <cmath>

namespace sinew {

std::optional<CreatureReading> humanoid_reading(const CreatureTree& tree, const HumanoidMap& roles,
                                                std::vector<BranchPair>& pairs, Vec3d& forward) {
    if (!roles.is_body()) return std::nullopt;
    const auto chain_to = [&](int32_t base, std::initializer_list<Role> tips, bool to_tip) {
        int32_t tip = -1;
        for (const Role role : tips)  // a foot beside the tree, as IK rigs have it, ends no leg
            if (tip < 0 && roles[role] >= 0 && tree.is_above(base, roles[role])) tip = roles[role];
        JointChain chain;
        for (int32_t j = tip; j > base; j = tree.parent(j)) chain.push_back(j);
        std::ranges::reverse(chain);
        if (to_tip && !chain.empty()) {
            const JointChain rest = tree.longest_chain(chain.back());
            chain.insert(chain.end(), rest.begin() + 1, rest.end());
        }
        return chain;
    };
    const int32_t hips = tree.meet(roles[Role::left_upper_leg], roles[Role::right_upper_leg]);
    const int32_t chest = tree.meet(roles[Role::left_upper_arm], roles[Role::right_upper_arm]);
    if (hips < 0 || chest < 0 || tree.meet(hips, chest) < 0) return std::nullopt;
    pairs.resize(2);
    pairs[0].base = hips;
    pairs[0].part = CreaturePart::leg;
    pairs[0].chain = {chain_to(hips, {Role::left_toes, Role::left_foot, Role::left_lower_leg}, true),
                      chain_to(hips, {Role::right_toes, Role::right_foot, Role::right_lower_leg}, true)};
    pairs[1].base = chest;
    pairs[1].part = CreaturePart::arm;
    pairs[1].chain = {chain_to(chest, {Role::left_hand, Role::left_lower_arm}, false),
                      chain_to(chest, {Role::right_hand, Role::right_lower_arm}, false)};
    Vec3d left = Vec3d::Zero(), rise = Vec3d::Zero();
    for (BranchPair& pair : pairs) {
        const size_t n = std::min(pair.chain[0].size(), pair.chain[1].size());
        if (n == 0) return std::nullopt;
        for (JointChain& chain : pair.chain) chain.resize(n);
        const int32_t first = pair.chain[0][0];
        pair.length = (tree.at(first) - tree.at(pair.base)).norm() + tree.reach[static_cast<size_t>(first)];
        left += middle(tree, pair.chain[0]) - middle(tree, pair.chain[1]);
    }
    rise = tree.at(roles[Role::left_upper_arm]) + tree.at(roles[Role::right_upper_arm]) -
           tree.at(roles[Role::left_lower_leg]) - tree.at(roles[Role::right_lower_leg]);
    Eigen::Index axis = 1;
    if (rise.norm() > 0 && std::abs(rise.y()) < 0.5 * rise.norm()) rise.cwiseAbs().maxCoeff(&axis);
    const Vec3d up = Vec3d::Unit(axis) * (rise[axis] < 0 ? -1.0 : 1.0);
    left -= left.dot(up) * up;
    if (!(left.norm() > 0)) return std::nullopt;
    forward = left.normalized().cross(up);
    CreatureReading reading{tree, {{}, std::vector<char>(tree.position.size(), 0), left.normalized()}, up, {}, {}, 0};
    for (size_t j = 0; j < tree.position.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        const int32_t parent = tree.parent(joint);
        bool in = parent >= 0 && reading.body.paired[static_cast<size_t>(parent)];
        for (const BranchPair& pair : pairs) in |= joint == pair.chain[0][0] || joint == pair.chain[1][0];
        reading.body.paired[j] = in;
    }
    reading.legs = {&pairs[0]};
    reading.others = {&pairs[1]};
    reading.ground = pair_height(tree, pairs[0], up);
    return reading;
}

CreatureMap read_humanoid(const CreatureReading& reading, const HumanoidMap& roles, const Vec3d& forward) {
    const CreatureTree& tree = reading.tree;
    CreatureMap map;
    map.kind = CreatureKind::biped;
    map.legs = make_limbs(reading, reading.legs, forward, true);
    map.arms = make_limbs(reading, reading.others, forward, false);
    map.spine = path_between(tree, reading.legs[0]->base, reading.others[0]->base);
    if (const int32_t hips = roles[Role::hips];
        hips >= 0 && hips < map.spine.front() && tree.is_above(hips, map.spine.front()))
        map.spine = path_between(tree, hips, map.spine.back());
    if (const int32_t head = roles[Role::head]; head >= 0) {
        JointChain path;
        for (int32_t j = head; j >= 0 && std::ranges::find(map.spine, j) == map.spine.end(); j = tree.parent(j))
            path.push_back(j);
        std::ranges::reverse(path);
        if (!path.empty()) {
            map.neck.assign(path.begin(), path.end() - 1);
            map.head = {head};
        }
        if (roles[Role::jaw] >= 0) map.jaw = {roles[Role::jaw]};
    }
    find_tail(reading, forward, map);
    return map;
}

}  // namespace sinew
