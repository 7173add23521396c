#include <sinew/skeleton/creature/creature_reading.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A signed vote for `axis` (positive) or against it, from −1 to 1 by how far it leans; nothing below 2% of the size.
double lean(const CreatureTree& tree, const Vec3d& offset, const Vec3d& axis) {
    const double along = offset.dot(axis);
    return std::abs(along) < 0.02 * tree.size ? 0.0 : (along > 0 ? 1.0 : -1.0);
}

struct NamedPlaces {
    JointChain head, tail, front, hind, all;
};

NamedPlaces find_named_places(const CreatureTree& tree) {
    NamedPlaces places;
    for (size_t j = 0; j < tree.names.size(); ++j) {
        if (tree.out[j]) continue;
        const auto joint = static_cast<int32_t>(j);
        const CreatureName& name = tree.names[j];
        const bool head = name.part == CreaturePart::head || name.part == CreaturePart::neck ||
                          name.part == CreaturePart::face || name.part == CreaturePart::jaw;
        if (head) places.head.push_back(joint);
        if (name.part == CreaturePart::tail) places.tail.push_back(joint);
        if (name.place == LegPlace::front) places.front.push_back(joint);
        if (name.place == LegPlace::hind) places.hind.push_back(joint);
        if (tree.parent(joint) >= 0) places.all.push_back(joint);
    }
    return places;
}

// Which way along `axis` the names say is ahead; zero where they say nothing.
double vote_by_names(const CreatureReading& reading, const Vec3d& axis) {
    const CreatureTree& tree = reading.tree;
    const NamedPlaces places = find_named_places(tree);
    double vote = 0;
    const Vec3d all = middle(tree, places.all);
    const Vec3d head = places.head.empty() ? all : middle(tree, places.head);
    const Vec3d tail = places.tail.empty() ? all : middle(tree, places.tail);
    if (!places.head.empty() || !places.tail.empty()) vote += 10 * lean(tree, head - tail, axis);
    if (!places.front.empty() && !places.hind.empty())
        vote += 6 * lean(tree, middle(tree, places.front) - middle(tree, places.hind), axis);
    Vec3d left = Vec3d::Zero();
    for (const BranchPair& pair : reading.body.pairs) {
        for (size_t i = 0; i < pair.chain[0].size(); ++i) {
            const Side side = tree.name(pair.chain[0][i]).side;
            const Vec3d d = tree.at(pair.chain[0][i]) - tree.at(pair.chain[1][i]);
            if (side != Side::none) left += side == Side::left ? d : Vec3d(-d);
        }
    }
    return vote + 8 * lean(tree, left.cross(reading.up), axis);
}

// The same from structure: front legs and wings hang deeper in the tree than hind legs; toes point ahead; ears and
// other small pairs are on the head; fins sweep back; a head is carried higher than a tail.
double vote_by_structure(const CreatureReading& reading, const Vec3d& axis) {
    const CreatureTree& tree = reading.tree;
    double vote = 0;
    const BranchPair *deep = nullptr, *shallow = nullptr;
    std::vector<const BranchPair*> limbs = reading.legs;
    if (reading.legs.size() < 2) limbs.insert(limbs.end(), reading.others.begin(), reading.others.end());
    for (const BranchPair* pair : limbs) {
        const auto depth = [&](const BranchPair* p) { return tree.depth[static_cast<size_t>(p->base)]; };
        if (!deep || depth(pair) > depth(deep)) deep = pair;
        if (!shallow || depth(pair) < depth(shallow)) shallow = pair;
    }
    if (!reading.legs.empty() && deep != shallow && tree.is_above(shallow->base, deep->base))
        vote += 2 * lean(tree, tree.at(deep->base) - tree.at(shallow->base), axis);
    for (const BranchPair* leg : reading.legs) {
        Vec3d toes = Vec3d::Zero();
        for (const JointChain& chain : leg->chain) {
            const size_t low = fit_leg(tree, chain, reading.up).low;
            toes += tree.at(chain.back()) - tree.at(chain[low > 0 && low + 1 == chain.size() ? low - 1 : low]);
        }
        const double along = toes.dot(axis);
        if (std::abs(along) > 0.02 * leg->length) vote += along > 0 ? 1.0 : -1.0;
    }
    Vec3d small = Vec3d::Zero(), trunk = Vec3d::Zero();
    double small_count = 0, trunk_count = 0;
    Vec3d highest = Vec3d::Zero();
    double top = -INFINITY;
    for (const BranchPair& pair : reading.body.pairs) {
        const bool limb = std::ranges::find(reading.legs, &pair) != reading.legs.end() ||
                          std::ranges::find(reading.others, &pair) != reading.others.end();
        if (limb) continue;
        small += tree.at(pair.base);
        small_count += 1;
    }
    for (size_t j = 0; j < tree.position.size(); ++j) {
        if (tree.out[j] || !reading.on_trunk(static_cast<int32_t>(j)) || tree.parent(static_cast<int32_t>(j)) < 0)
            continue;
        trunk += tree.position[j];
        trunk_count += 1;
        if (tree.position[j].dot(reading.up) > top) {
            top = tree.position[j].dot(reading.up);
            highest = tree.position[j];
        }
    }
    if (trunk_count == 0) return vote;
    trunk /= trunk_count;
    if (small_count > 0) vote += 2 * lean(tree, small / small_count - trunk, axis);
    if (!reading.legs.empty()) vote += lean(tree, highest - trunk, axis);
    for (const BranchPair* pair : reading.others)
        if (reading.legs.empty())
            vote +=
                2 * lean(tree,
                         tree.at(pair->base) - 0.5 * (tree.at(pair->chain[0].back()) + tree.at(pair->chain[1].back())),
                         axis);
    return vote;
}

}  // namespace

Vec3d find_forward(const CreatureReading& reading) {
    if (reading.tree.grown && reading.up.y() > 0) return Vec3d::UnitZ();
    Vec3d axis = Vec3d::Zero();
    if (!reading.body.across.isZero()) {
        axis = reading.body.across.cross(reading.up).normalized();
    } else {
        // Without pairs, the body's longest horizontal extent.
        const CreatureTree& tree = reading.tree;
        Vec3d mean = Vec3d::Zero();
        double count = 0;
        for (size_t j = 0; j < tree.position.size(); ++j)
            if (!tree.out[j]) mean += tree.position[j], count += 1;
        mean /= std::max(count, 1.0);
        Vec3d far = Vec3d::Zero();
        for (size_t j = 0; j < tree.position.size(); ++j) {
            Vec3d d = tree.position[j] - mean;
            d -= d.dot(reading.up) * reading.up;
            if (!tree.out[j] && d.norm() > far.norm() * (1 + 1e-9)) far = d;
        }
        if (far.norm() > 1e-9 * std::max(tree.size, 1e-12)) axis = far.normalized();
    }
    if (axis.isZero() || !axis.allFinite()) {
        axis = Vec3d::UnitZ() - reading.up.z() * reading.up;
        if (axis.norm() < 0.5) axis = Vec3d::UnitX();
        axis.normalize();
    }
    double vote = vote_by_names(reading, axis);
    if (vote == 0) vote = vote_by_structure(reading, axis);
    // A tie: characters face +Z, and where they cannot, +X.
    if (vote == 0) vote = std::abs(axis.z()) > 1e-3 ? axis.z() : axis.x() + axis.y();
    return vote < 0 ? Vec3d(-axis) : axis;
}

}  // namespace sinew
