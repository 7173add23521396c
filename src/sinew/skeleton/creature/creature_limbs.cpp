#include <sinew/skeleton/creature/creature_limbs.h>

#include <sinew/skeleton/creature/creature_trunk.h>
#include <algorithm>

namespace sinew {
namespace {

constexpr double wing_over_leg = 1.5;  // wings are longer than legs by this much, arms are not

CreatureLimb make_limb(const CreatureReading& reading, const JointChain& chain, const Vec3d& left,
                       const Vec3d& middle_at, bool leg) {
    CreatureLimb limb{chain, Side::none, 0, chain.size() - 1};
    limb.side = (middle(reading.tree, chain) - middle_at).dot(left) >= 0 ? Side::left : Side::right;
    if (leg) {
        const LegFit fit = fit_leg(reading.tree, chain, reading.up);
        limb.socket = fit.socket;
        limb.foot = fit.low;
    }
    return limb;
}

}  // namespace

std::vector<CreatureLimb> make_limbs(const CreatureReading& reading, std::vector<const BranchPair*> pairs,
                                     const Vec3d& forward, bool legs) {
    const auto ahead = [&](const BranchPair* pair) {
        const size_t at = std::min<size_t>(1, pair->chain[0].size() - 1);  // shoulder blades lie far back
        return (reading.tree.at(pair->chain[0][at]) + reading.tree.at(pair->chain[1][at])).dot(forward);
    };
    std::ranges::stable_sort(pairs, [&](const auto* a, const auto* b) { return ahead(a) > ahead(b); });
    const Vec3d left = reading.up.cross(forward);
    std::vector<CreatureLimb> limbs;
    for (const BranchPair* pair : pairs) {
        const Vec3d mid = 0.5 * (middle(reading.tree, pair->chain[0]) + middle(reading.tree, pair->chain[1]));
        CreatureLimb a = make_limb(reading, pair->chain[0], left, mid, legs);
        CreatureLimb b = make_limb(reading, pair->chain[1], left, mid, legs);
        b.socket = a.socket = std::min(a.socket, b.socket);  // both sides alike
        b.foot = a.foot = std::max(a.foot, b.foot);
        b.side = a.side == Side::left ? Side::right : Side::left;
        if (a.side == Side::right) std::swap(a, b);
        limbs.push_back(std::move(a));
        limbs.push_back(std::move(b));
    }
    return limbs;
}

void place_others(const CreatureReading& reading, const Vec3d& forward, CreatureMap& map) {
    std::vector<const BranchPair*> arms, wings, fins;
    const auto legs = static_cast<double>(reading.legs.size());
    double leg_length = 0;
    for (const BranchPair* leg : reading.legs) leg_length += leg->length / legs;
    for (const BranchPair* pair : reading.others) {
        const bool on_head = std::ranges::find(map.head, pair->base) != map.head.end();
        if (on_head && pair->part == CreaturePart::none) continue;  // ears
        const bool flat = reading.legs.size() == 1 && trunk_rise(reading.tree, map.spine, reading.up) < flat_trunk_sin;
        const bool wing =
            pair->part == CreaturePart::wing || (pair->part == CreaturePart::none && !reading.legs.empty() &&
                                                 (flat || pair->length > wing_over_leg * leg_length));
        if (wing)
            wings.push_back(pair);
        else if (pair->part == CreaturePart::fin || reading.legs.empty())
            fins.push_back(pair);
        else if (pair->part != CreaturePart::tail && pair->part != CreaturePart::trunk)
            arms.push_back(pair);
    }
    map.arms = make_limbs(reading, arms, forward, false);
    map.wings = make_limbs(reading, wings, forward, false);
    map.fins = make_limbs(reading, fins, forward, false);
}

const BranchPair* main_upper_pair(const CreatureReading& reading, int32_t hips) {
    const BranchPair* best = nullptr;
    for (const BranchPair* pair : reading.others)
        if (pair->base != hips && pair->part != CreaturePart::tail && (!best || pair->length > best->length))
            best = pair;
    return best;
}

std::vector<JointChain> decompose(const CreatureTree& tree) {
    std::vector<JointChain> chains;
    std::vector<char> done(tree.position.size(), 0);
    for (size_t j = 0; j < tree.position.size(); ++j) {
        if (tree.out[j] || done[j]) continue;
        JointChain chain = tree.longest_chain(static_cast<int32_t>(j));
        for (const int32_t joint : chain) done[static_cast<size_t>(joint)] = 1;
        if (chain.size() >= 2) chains.push_back(std::move(chain));
    }
    return chains;
}

}  // namespace sinew
