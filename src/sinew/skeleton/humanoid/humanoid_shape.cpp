#include <sinew/skeleton/humanoid/humanoid_limbs.h>
#include <algorithm>

namespace sinew {
namespace {

// Two sibling branches of similar shape, each with its longest chain of joints.
struct BranchPair {
    int32_t base = -1;
    std::vector<int32_t> a, b;
    double length = 0;
};

struct Branches {
    std::vector<double> reach;       // length of the longest path down from a joint
    std::vector<int32_t> next;       // the next joint on that path, −1 at a tip
    std::vector<int32_t> branching;  // how many children are more than a single tip
};

Branches measure_branches(const BodyTree& tree) {
    const size_t n = tree.names.size();
    Branches result{std::vector<double>(n, 0), std::vector<int32_t>(n, -1), std::vector<int32_t>(n, 0)};
    for (size_t j = n; j-- > 0;) {
        for (const int32_t child : tree.children[j]) {
            const double step = (tree.at(child) - tree.position[j]).norm();
            const double length = result.reach[static_cast<size_t>(child)] + step;
            result.branching[j] += result.reach[static_cast<size_t>(child)] > 0;
            if (length > result.reach[j] || result.next[j] < 0) {
                result.reach[j] = length;
                result.next[j] = child;
            }
        }
    }
    return result;
}

std::vector<int32_t> chain_from(const Branches& branches, int32_t joint) {
    std::vector<int32_t> chain;
    for (; joint >= 0; joint = branches.next[static_cast<size_t>(joint)]) chain.push_back(joint);
    return chain;
}

// The first joints are equally far out and apart from each other. What the ends hold (a sword, a shield) may differ.
bool alike(const BodyTree& tree, const BranchPair& pair) {
    const size_t n = std::min({pair.a.size(), pair.b.size(), size_t{4}});
    if (n < 3) return false;
    for (size_t i = 0; i < n; ++i) {
        const double a = (tree.at(pair.a[i]) - tree.at(pair.base)).norm(),
                     b = (tree.at(pair.b[i]) - tree.at(pair.base)).norm();
        if (std::abs(a - b) > 0.1 * std::max(a, b) + 0.01 * pair.length) return false;
    }
    return (tree.at(pair.a[n - 1]) - tree.at(pair.b[n - 1])).norm() > 0.1 * pair.length;
}

std::vector<BranchPair> like_pairs(const BodyTree& tree, const Branches& branches, double least_length) {
    std::vector<BranchPair> pairs;
    for (size_t j = 0; j < tree.names.size(); ++j) {
        const auto& children = tree.children[j];
        if (children.size() < 2 || children.size() > 64) continue;
        const auto length = [&](int32_t child) {
            return branches.reach[static_cast<size_t>(child)] + (tree.at(child) - tree.position[j]).norm();
        };
        for (size_t a = 0; a < children.size(); ++a) {
            for (size_t b = a + 1; b < children.size(); ++b) {
                const double la = length(children[a]), lb = length(children[b]);
                if (std::min(la, lb) < least_length) continue;
                BranchPair pair{static_cast<int32_t>(j), chain_from(branches, children[a]),
                                chain_from(branches, children[b]), 0.5 * (la + lb)};
                if (!alike(tree, pair)) continue;
                pairs.push_back(std::move(pair));
            }
        }
    }
    return pairs;
}

Vec3d mean_tip(const BodyTree& tree, const BranchPair& pair) {
    return 0.5 * (tree.at(pair.a.back()) + tree.at(pair.b.back()));
}

// How human the two pairs look as legs and arms; negative: not at all.
double upright_score(const BodyTree& tree, const BranchPair& legs, const BranchPair& arms, const Vec3d& up) {
    // The legs may have a pelvis of their own beside the spine.
    const int32_t root = common_ancestor(tree, legs.base, arms.base);
    if (legs.base == arms.base || root < 0 ||
        tree.depth[static_cast<size_t>(legs.base)] - tree.depth[static_cast<size_t>(root)] > 2)
        return -1;
    if (is_ancestor_or_self(tree, legs.a[0], arms.base) || is_ancestor_or_self(tree, legs.b[0], arms.base)) return -1;
    const Vec3d trunk = tree.at(arms.base) - tree.at(legs.base);
    const Vec3d sole = mean_tip(tree, legs), hand = mean_tip(tree, arms);
    const Vec3d socket = 0.5 * (tree.at(legs.a[0]) + tree.at(legs.b[0]));
    const double down = (socket - sole).dot(up) / (legs.length - (tree.at(legs.a[0]) - tree.at(legs.base)).norm());
    const double rise = trunk.dot(up), height = (tree.at(arms.base) - sole).dot(up);
    // A trunk that lies down, or hands on the floor: an animal.
    if (down < 0.6 || rise < 0.5 * trunk.norm() || rise <= 0) return -1;
    if ((hand - sole).dot(up) < 0.2 * height) return -1;
    // The two ends of a pair lie side by side, not above one another.
    const Vec3d across = tree.at(arms.a.back()) - tree.at(arms.b.back());
    if (std::abs(across.dot(up)) > 0.5 * across.norm()) return -1;
    return down + (legs.length + arms.length) / height;
}

// The way the feet point, else the way the knees point; zero where neither tells.
Vec3d facing(const BodyTree& tree, const Limb& a, const Limb& b, const Vec3d& up) {
    const auto flat = [&](Vec3d v) -> Vec3d { return v - v.dot(up) * up; };
    Vec3d toes = Vec3d::Zero(), knees = Vec3d::Zero();
    double leg = 0;
    for (const Limb* limb : {&a, &b}) {
        const Vec3d hip = tree.at(limb->joint[0]), knee = tree.at(limb->joint[1]);
        if (limb->joint[2] < 0) continue;
        const Vec3d ankle = tree.at(limb->joint[2]);
        leg += (knee - hip).norm() + (ankle - knee).norm();
        const Vec3d along = (ankle - hip).normalized();
        knees += flat((knee - hip) - along * (knee - hip).dot(along));
        if (limb->joint[3] >= 0) toes += flat(tree.at(limb->joint[3]) - ankle);
    }
    if (toes.norm() > 0.02 * leg) return toes.normalized();
    if (knees.norm() > 0.01 * leg) return knees.normalized();
    return Vec3d::Zero();
}

// Ends an arm's chain at the hand, where the fingers branch off.
std::vector<int32_t> arm_chain(const Branches& branches, std::vector<int32_t> chain) {
    for (size_t i = 2; i < chain.size(); ++i) {
        if (branches.branching[static_cast<size_t>(chain[i])] >= 2) {
            chain.resize(i + 1);
            break;
        }
    }
    return chain;
}

}  // namespace

std::optional<ShapeLimbs> find_limbs_by_shape(const BodyTree& tree) {
    if (tree.names.size() < 9) return std::nullopt;
    const Branches branches = measure_branches(tree);
    Vec3d low = tree.position[0], high = low;
    for (const Vec3d& p : tree.position) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    const std::vector<BranchPair> pairs = like_pairs(tree, branches, 0.12 * (high - low).norm());
    if (pairs.size() > 256) return std::nullopt;

    const BranchPair *legs = nullptr, *arms = nullptr;
    ShapeLimbs result;
    double best = 0;
    // Sinew's up is +Y; a motion file may have kept its own.
    const std::array<std::pair<Vec3d, double>, 3> ups = {
        {{Vec3d::UnitY(), 1.0}, {Vec3d::UnitZ(), 0.5}, {Vec3d::UnitX(), 0.3}}};
    for (const auto& [up, trust] : ups) {
        for (const BranchPair& l : pairs) {
            for (const BranchPair& a : pairs) {
                const double score = trust * upright_score(tree, l, a, up);
                if (score <= best) continue;
                best = score;
                legs = &l;
                arms = &a;
                result.up = up;
            }
        }
    }
    if (!legs) return std::nullopt;

    const auto leg_a = fit_limb(tree, LimbKind::leg, legs->a), leg_b = fit_limb(tree, LimbKind::leg, legs->b);
    const auto arm_a = fit_limb(tree, LimbKind::arm, arm_chain(branches, arms->a));
    const auto arm_b = fit_limb(tree, LimbKind::arm, arm_chain(branches, arms->b));
    if (!leg_a || !leg_b || !arm_a || !arm_b) return std::nullopt;
    Vec3d forward = facing(tree, *leg_a, *leg_b, result.up);
    if (forward.isZero()) forward = result.up.y() > 0.5 ? Vec3d(Vec3d::UnitZ()) : Vec3d(-Vec3d::UnitY());
    const Vec3d left = result.up.cross(forward);
    const auto lean = [&](const Limb& a, const Limb& b) {
        return (tree.at(a.joint[1]) - tree.at(b.joint[1])).dot(left);
    };
    const bool legs_swap = lean(*leg_a, *leg_b) < 0, arms_swap = lean(*arm_a, *arm_b) < 0;
    result.legs = {legs_swap ? *leg_b : *leg_a, legs_swap ? *leg_a : *leg_b};
    result.arms = {arms_swap ? *arm_b : *arm_a, arms_swap ? *arm_a : *arm_b};
    for (Limb& leg : result.legs)  // of five toes none is "the toes"
        if (leg.joint[2] >= 0 && tree.children[static_cast<size_t>(leg.joint[2])].size() >= 4) leg.joint[3] = -1;
    result.hips = legs->base;
    result.chest = arms->base;
    return result;
}

}  // namespace sinew
