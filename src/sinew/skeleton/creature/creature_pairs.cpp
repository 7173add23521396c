#include <sinew/skeleton/creature/creature_pairs.h>

#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double alike = 0.1;            // bones of a pair differ at most by this share of the branch's length
constexpr double mirror_error = 0.2;     // mean distance from the mirrored place, of the branch's length
constexpr double misnamed_error = 0.05;  // the same where names put both on one side: "Leg.L" and its copy "Leg.L.001"
constexpr double least_apart = 0.02;     // of the branch's length: nearer branches lie both on the midline
constexpr double same_plane_cos = 0.9;   // 25 degrees
constexpr size_t most_siblings = 64;     // hair and grass have more, and no legs among them

double branch_length(const CreatureTree& tree, int32_t base, int32_t child) {
    return (tree.at(child) - tree.at(base)).norm() + tree.reach[static_cast<size_t>(child)];
}

bool named_pair(const CreatureTree& tree, int32_t a, int32_t b) {
    const CreatureName &x = tree.name(a), &y = tree.name(b);
    return x.side != Side::none && y.side != Side::none && x.side != y.side && x.plain == y.plain;
}

bool named_alike(const CreatureTree& tree, int32_t a, int32_t b) {
    return tree.name(a).side != Side::none && tree.name(a).side == tree.name(b).side;
}

bool named_apart(const CreatureTree& tree, int32_t a, int32_t b) {
    const CreatureName &x = tree.name(a), &y = tree.name(b);
    return x.side != Side::none && y.side != Side::none && x.part != y.part;
}

bool alike_lengths(const CreatureTree& tree, const BranchPair& pair) {
    int32_t above_a = pair.base, above_b = pair.base;
    for (size_t i = 0; i < pair.chain[0].size(); ++i) {
        const int32_t a = pair.chain[0][i], b = pair.chain[1][i];
        const double la = (tree.at(a) - tree.at(above_a)).norm(), lb = (tree.at(b) - tree.at(above_b)).norm();
        if (std::abs(la - lb) > alike * pair.length) return false;
        above_a = a;
        above_b = b;
    }
    return true;
}

BranchPair make_pair_of(const CreatureTree& tree, int32_t base, int32_t a, int32_t b) {
    BranchPair pair{base, {tree.longest_chain(a), tree.longest_chain(b)}, 0, CreaturePart::none, LegPlace::none};
    pair.length = 0.5 * (branch_length(tree, base, a) + branch_length(tree, base, b));
    const size_t n = std::min(pair.chain[0].size(), pair.chain[1].size());
    for (JointChain& chain : pair.chain) chain.resize(n);
    return pair;
}

// The difference of the two branches: where a mirror would hold, all its joints differ along one direction.
Vec3d apart(const CreatureTree& tree, const BranchPair& pair) {
    Vec3d sum = Vec3d::Zero();
    for (size_t i = 0; i < pair.chain[0].size(); ++i) sum += tree.at(pair.chain[0][i]) - tree.at(pair.chain[1][i]);
    return sum / static_cast<double>(pair.chain[0].size());
}

// How far the branches are from mirroring each other, over their length.
double error_of(const CreatureTree& tree, const BranchPair& pair, const Vec3d& across) {
    double error = 0, most_apart = 0;
    for (size_t i = 0; i < pair.chain[0].size(); ++i) {
        const Vec3d &a = tree.at(pair.chain[0][i]), &b = tree.at(pair.chain[1][i]);
        const Vec3d d = a - b;
        error += (d - across * across.dot(d)).norm() + std::abs(across.dot(a + b - 2 * tree.at(pair.base)));
        most_apart = std::max(most_apart, std::abs(across.dot(d)));
    }
    if (most_apart < least_apart * pair.length) return INFINITY;
    return error / (static_cast<double>(pair.chain[0].size()) * std::max(pair.length, 1e-12));
}

std::vector<BranchPair> candidate_pairs(const CreatureTree& tree) {
    std::vector<BranchPair> pairs;
    for (size_t j = 0; j < tree.children.size(); ++j) {
        const auto& siblings = tree.children[j];
        if (siblings.size() < 2 || siblings.size() > most_siblings) continue;
        for (size_t x = 0; x < siblings.size(); ++x) {
            for (size_t y = x + 1; y < siblings.size(); ++y) {
                if (named_apart(tree, siblings[x], siblings[y])) continue;
                BranchPair pair = make_pair_of(tree, static_cast<int32_t>(j), siblings[x], siblings[y]);
                const bool named = named_pair(tree, siblings[x], siblings[y]);
                if (!(pair.length > 0) || (!named && !alike_lengths(tree, pair))) continue;
                pairs.push_back(std::move(pair));
            }
        }
    }
    return pairs;
}

// The direction across the body that most of the long pairs agree on.
Vec3d find_across(const CreatureTree& tree, const std::vector<BranchPair>& pairs, const Vec3d& up) {
    std::vector<std::pair<Vec3d, double>> votes;
    for (const BranchPair& pair : pairs) {
        Vec3d d = apart(tree, pair);
        d -= d.dot(up) * up;
        if (named_alike(tree, pair.chain[0][0], pair.chain[1][0])) continue;
        const double weight = pair.length * (named_pair(tree, pair.chain[0][0], pair.chain[1][0]) ? 3.0 : 1.0);
        if (d.norm() > least_apart * pair.length && (d.norm() > 0))
            if (error_of(tree, pair, d.normalized()) < 2 * mirror_error) votes.emplace_back(d.normalized(), weight);
    }
    Vec3d best = Vec3d::Zero();
    double most = 0;
    constexpr size_t most_votes = 512;
    if (votes.size() > most_votes) votes.resize(most_votes);
    for (const auto& [direction, own] : votes) {
        Vec3d sum = Vec3d::Zero();
        double total = 0;
        for (const auto& [other, weight] : votes) {
            const double cos = direction.dot(other);
            if (std::abs(cos) < same_plane_cos) continue;
            sum += weight * (cos < 0 ? -1.0 : 1.0) * other;
            total += weight;
        }
        if (total > most * (1 + 1e-9)) {
            most = total;
            best = sum.normalized();
        }
    }
    return best;
}

void name_pair(const CreatureTree& tree, BranchPair& pair) {
    std::array<int, 12> count{};
    int front = 0;
    for (const JointChain& chain : pair.chain) {
        for (const int32_t joint : chain) {
            ++count[static_cast<size_t>(tree.name(joint).part)];
            front += tree.name(joint).place == LegPlace::front;
            front -= tree.name(joint).place == LegPlace::hind;
        }
    }
    count[0] = count[1] = 0;
    const auto most = std::ranges::max_element(count);
    if (*most > 0) pair.part = static_cast<CreaturePart>(most - count.begin());
    pair.place = front > 0 ? LegPlace::front : front < 0 ? LegPlace::hind : LegPlace::none;
}

// Foot controls of IK rigs: joints named as legs are, beside the tree of a limb, at the place where that limb ends.
// What hangs on them counts for nothing either.
void leave_out_foot_controls(CreatureTree& tree, double size) {
    constexpr double same_place = 0.01;  // of the body's size
    const std::vector<int32_t>& parents = tree.skeleton.parents();
    std::vector<int32_t> ends;
    std::vector<char> has_child(parents.size(), 0);
    for (const int32_t parent : parents)
        if (parent >= 0) has_child[static_cast<size_t>(parent)] = 1;
    for (size_t j = 0; j < parents.size(); ++j)
        if (!has_child[j] && !tree.out[j] && tree.names[j].part == CreaturePart::leg)
            ends.push_back(static_cast<int32_t>(j));
    for (size_t j = 0; j < parents.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        if (parents[j] >= 0 && tree.out[static_cast<size_t>(parents[j])]) tree.out[j] = 1;
        if (tree.out[j] || tree.names[j].part != CreaturePart::leg) continue;
        const bool on_leg = parents[j] >= 0 && tree.name(parents[j]).part == CreaturePart::leg;
        if (on_leg) continue;
        tree.out[j] = std::ranges::any_of(ends, [&](int32_t end) {
            return tree.name(end).side == tree.name(joint).side && !tree.is_above(joint, end) &&
                   (tree.at(end) - tree.at(joint)).norm() < same_place * size;
        });
    }
}

}  // namespace

JointChain CreatureTree::longest_chain(int32_t first) const {
    JointChain chain;
    for (int32_t joint = first; joint >= 0;) {
        chain.push_back(joint);
        int32_t next = -1;
        double longest = -1;
        for (const int32_t child : below(joint)) {
            const double length = branch_length(*this, joint, child);
            if (length > longest * (1 + 1e-6)) {
                longest = length;
                next = child;
            }
        }
        joint = next;
    }
    return chain;
}

CreatureTree make_creature_tree(const Skeleton& skeleton) {
    const size_t n = skeleton.size();
    CreatureTree tree{skeleton, {}, {},   std::vector<std::vector<int32_t>>(n), std::vector<char>(n, 0), {},
                      {},       0,  false};
    for (const AffineD& world : rest_world(skeleton)) tree.position.push_back(world.translation());
    for (const std::string& name : skeleton.names()) tree.names.push_back(parse_creature_name(name));
    std::vector<char> holds(n, 0);  // something below a control that is none
    for (size_t j = n; j-- > 0;) {
        tree.out[j] = tree.names[j].part == CreaturePart::helper && !holds[j];
        const int32_t parent = skeleton.parents()[j];
        if (parent >= 0 && !tree.out[j]) holds[static_cast<size_t>(parent)] = 1;
    }
    Box extent;
    for (const Vec3d& at : tree.position) extent.add(at.cast<float>());
    leave_out_foot_controls(tree, n > 0 ? static_cast<double>(extent.diagonal()) : 0.0);
    Vec3d low = Vec3d::Constant(INFINITY), high = Vec3d::Constant(-INFINITY);
    for (size_t j = 0; j < n; ++j) {
        const int32_t parent = skeleton.parents()[j];
        tree.depth.push_back(parent < 0 ? 0 : tree.depth[static_cast<size_t>(parent)] + 1);
        if (tree.out[j]) continue;
        if (parent >= 0) tree.children[static_cast<size_t>(parent)].push_back(static_cast<int32_t>(j));
        low = low.cwiseMin(tree.position[j]);
        high = high.cwiseMax(tree.position[j]);
    }
    // As rig/fit/generic.cpp names its joints.
    tree.grown = std::ranges::find(skeleton.names(), "branch1_1") != skeleton.names().end();
    tree.size = n > 0 && low.x() <= high.x() ? (high - low).norm() : 0;
    tree.reach.assign(n, 0.0);
    for (size_t j = n; j-- > 0;)
        for (const int32_t child : tree.children[j])
            tree.reach[j] = std::max(tree.reach[j], branch_length(tree, static_cast<int32_t>(j), child));
    return tree;
}

PairedBody find_pairs(const CreatureTree& tree, const Vec3d& up) {
    PairedBody body;
    body.paired.assign(tree.position.size(), 0);
    std::vector<BranchPair> pairs = candidate_pairs(tree);
    body.across = tree.grown && up.y() > 0 ? Vec3d(Vec3d::UnitX()) : find_across(tree, pairs, up);
    if (body.across.isZero()) return body;
    // Each joint belongs to the pair that mirrors best; names come before positions, parents before children.
    std::vector<std::pair<double, size_t>> order;
    for (size_t i = 0; i < pairs.size(); ++i) {
        const double error = error_of(tree, pairs[i], body.across);
        const bool named = named_pair(tree, pairs[i].chain[0][0], pairs[i].chain[1][0]);
        const bool misnamed = named_alike(tree, pairs[i].chain[0][0], pairs[i].chain[1][0]);
        if (named && std::isfinite(error))
            order.emplace_back(-1.0 + std::min(error, 1.0) * 1e-3, i);
        else if (error < (misnamed ? misnamed_error : mirror_error))
            order.emplace_back(misnamed ? error + mirror_error : error, i);
    }
    std::ranges::sort(order);
    std::vector<char> taken(tree.position.size(), 0);
    std::vector<size_t> chosen;
    for (const auto& [error, i] : order) {
        const auto a = static_cast<size_t>(pairs[i].chain[0][0]), b = static_cast<size_t>(pairs[i].chain[1][0]);
        if (taken[a] || taken[b]) continue;
        taken[a] = taken[b] = 1;
        chosen.push_back(i);
    }
    std::ranges::sort(chosen);
    for (size_t j = 0; j < taken.size(); ++j) {
        const int32_t parent = tree.skeleton.parents()[j];
        body.paired[j] = taken[j] || (parent >= 0 && body.paired[static_cast<size_t>(parent)]);
    }
    for (const size_t i : chosen) {
        if (body.paired[static_cast<size_t>(pairs[i].base)]) continue;
        body.pairs.push_back(std::move(pairs[i]));
        name_pair(tree, body.pairs.back());
    }
    return body;
}

}  // namespace sinew
