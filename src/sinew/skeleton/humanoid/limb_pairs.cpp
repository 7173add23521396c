#include <sinew/skeleton/humanoid/limb_pairs.h>
#include <algorithm>

namespace sinew {
namespace {

constexpr size_t compared_joints = 4, most_siblings = 64;
constexpr double length_difference = 0.1;  // of the longer one
constexpr double least_slack = 0.01;       // of the limb
constexpr double least_tips_apart = 0.1;   // of the limb

double bone_length(const BodyTree& tree, size_t joint) {
    const int32_t parent = tree.parent(static_cast<int32_t>(joint));
    if (parent < 0) return 0;
    if (tree.moments.empty()) return (tree.position[joint] - tree.at(parent)).norm();
    std::vector<double> lengths;
    for (const std::vector<Vec3d>& moment : tree.moments)
        lengths.push_back((moment[joint] - moment[static_cast<size_t>(parent)]).norm());
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::ranges::nth_element(lengths, middle);
    return *middle;
}

std::vector<int32_t> chain_from(const Branches& branches, int32_t joint) {
    std::vector<int32_t> chain;
    for (; joint >= 0; joint = branches.next[static_cast<size_t>(joint)]) chain.push_back(joint);
    return chain;
}

// The mean distance of two joints over the clip.
double mean_apart(const BodyTree& tree, int32_t a, int32_t b) {
    if (tree.moments.empty()) return (tree.at(a) - tree.at(b)).norm();
    double sum = 0;
    for (const std::vector<Vec3d>& moment : tree.moments)
        sum += (moment[static_cast<size_t>(a)] - moment[static_cast<size_t>(b)]).norm();
    return sum / static_cast<double>(tree.moments.size());
}

bool are_alike(const BodyTree& tree, const Branches& branches, const LikeLimbs& pair) {
    const size_t n = std::min({pair.a.size(), pair.b.size(), compared_joints});
    const size_t fewest = tree.moments.empty() ? 3 : 2;  // a clip shows what a lone pose only suggests
    if (n < fewest) return false;
    double a = 0, b = 0;
    for (size_t i = 0; i < n; ++i) {
        if (tree.moments.empty()) {
            a = (tree.at(pair.a[i]) - tree.at(pair.base)).norm();
            b = (tree.at(pair.b[i]) - tree.at(pair.base)).norm();
        } else {
            a += branches.bone[static_cast<size_t>(pair.a[i])];
            b += branches.bone[static_cast<size_t>(pair.b[i])];
        }
        if (std::abs(a - b) > length_difference * std::max(a, b) + least_slack * pair.length) return false;
    }
    return mean_apart(tree, pair.a[n - 1], pair.b[n - 1]) > least_tips_apart * pair.length;
}

}  // namespace

Branches measure_branches(const BodyTree& tree) {
    const size_t n = tree.names.size();
    Branches result{{}, std::vector<double>(n, 0), std::vector<int32_t>(n, -1), std::vector<int32_t>(n, 0)};
    for (size_t j = 0; j < n; ++j) result.bone.push_back(bone_length(tree, j));
    for (size_t j = n; j-- > 0;) {
        for (const int32_t child : tree.children[j]) {
            const auto c = static_cast<size_t>(child);
            const double length = result.reach[c] + result.bone[c];
            result.branching[j] += result.reach[c] > 0;
            if (length > result.reach[j] || result.next[j] < 0) {
                result.reach[j] = length;
                result.next[j] = child;
            }
        }
    }
    return result;
}

double body_size(const Branches& branches, double diagonal) {
    const double longest = branches.reach.empty() ? 0.0 : *std::ranges::max_element(branches.reach);
    return std::min(diagonal, 2 * longest);
}

std::vector<LikeLimbs> like_pairs(const BodyTree& tree, const Branches& branches, double least_length) {
    std::vector<LikeLimbs> pairs;
    for (size_t j = 0; j < tree.names.size(); ++j) {
        const auto& children = tree.children[j];
        if (children.size() < 2 || children.size() > most_siblings) continue;
        const auto length = [&](int32_t child) {
            return branches.reach[static_cast<size_t>(child)] + branches.bone[static_cast<size_t>(child)];
        };
        for (size_t a = 0; a < children.size(); ++a) {
            for (size_t b = a + 1; b < children.size(); ++b) {
                const double la = length(children[a]), lb = length(children[b]);
                if (std::min(la, lb) < least_length) continue;
                LikeLimbs pair{static_cast<int32_t>(j), chain_from(branches, children[a]),
                               chain_from(branches, children[b]), 0.5 * (la + lb)};
                if (are_alike(tree, branches, pair)) pairs.push_back(std::move(pair));
            }
        }
    }
    return pairs;
}

bool may_be_legs_and_arms(const BodyTree& tree, const LikeLimbs& legs, const LikeLimbs& arms) {
    // The legs may have a pelvis of their own beside the spine.
    constexpr int32_t deepest_legs = 2;
    const int32_t root = common_ancestor(tree, legs.base, arms.base);
    if (legs.base == arms.base || root < 0 ||
        tree.depth[static_cast<size_t>(legs.base)] - tree.depth[static_cast<size_t>(root)] > deepest_legs)
        return false;
    return !is_ancestor_or_self(tree, legs.a[0], arms.base) && !is_ancestor_or_self(tree, legs.b[0], arms.base);
}

double upright_score(const LikeLimbs& legs, const LikeLimbs& arms, const Vec3d& up, std::span<const Vec3d> place,
                     double least_down) {
    const auto at = [&](int32_t joint) -> const Vec3d& { return place[static_cast<size_t>(joint)]; };
    const auto mean_tip = [&](const LikeLimbs& pair) -> Vec3d { return 0.5 * (at(pair.a.back()) + at(pair.b.back())); };
    const Vec3d trunk = at(arms.base) - at(legs.base);
    const Vec3d sole = mean_tip(legs), hand = mean_tip(arms);
    const Vec3d socket = 0.5 * (at(legs.a[0]) + at(legs.b[0]));
    const double down = (socket - sole).dot(up) / (legs.length - (at(legs.a[0]) - at(legs.base)).norm());
    const double rise = trunk.dot(up), height = (at(arms.base) - sole).dot(up);
    // A trunk that lies down, or hands on the floor: an animal.
    if (down < least_down || rise < 0.5 * trunk.norm() || rise <= 0) return -1;
    if ((hand - sole).dot(up) < 0.2 * height) return -1;
    // The two ends of a pair lie side by side, not above one another.
    const Vec3d across = at(arms.a.back()) - at(arms.b.back());
    if (std::abs(across.dot(up)) > 0.5 * across.norm()) return -1;
    return down + (legs.length + arms.length) / height;
}

size_t count_other_limbs(const BodyTree& tree, const Branches& branches, const LikeLimbs& legs, const LikeLimbs& arms) {
    constexpr double shortest = 0.75, longest = 1.33;  // over a leg: as alike as arms of one animal are
    const size_t n = tree.names.size();
    std::vector<char> in_limb(n, 0);
    std::vector<double> reach(n, 0);  // without the limbs
    std::vector<int32_t> next(n, -1);
    for (size_t j = 0; j < n; ++j) {
        const auto joint = static_cast<int32_t>(j);
        const int32_t parent = tree.parent(joint);
        in_limb[j] = joint == legs.a[0] || joint == legs.b[0] || joint == arms.a[0] || joint == arms.b[0] ||
                     (parent >= 0 && in_limb[static_cast<size_t>(parent)]);
    }
    for (size_t j = n; j-- > 0;) {
        for (const int32_t child : tree.children[j]) {
            const auto c = static_cast<size_t>(child);
            if (in_limb[c] || reach[c] + branches.bone[c] < reach[j]) continue;
            reach[j] = reach[c] + branches.bone[c];
            next[j] = child;
        }
    }
    // Each chain begins where it leaves a longer one.
    size_t count = 0;
    for (size_t j = 0; j < n; ++j) {
        const int32_t parent = tree.parent(static_cast<int32_t>(j));
        if (in_limb[j] || (parent >= 0 && next[static_cast<size_t>(parent)] == static_cast<int32_t>(j))) continue;
        const double share = (reach[j] + branches.bone[j]) / std::max(legs.length, 1e-12);
        count += share > shortest && share < longest;
    }
    return count;
}

void drop_many_toes(const BodyTree& tree, Limb& leg) {
    constexpr size_t many = 4;
    if (leg.joint[2] >= 0 && tree.children[static_cast<size_t>(leg.joint[2])].size() >= many) leg.joint[3] = -1;
}

std::vector<int32_t> arm_chain(const Branches& branches, std::vector<int32_t> chain) {
    for (size_t i = 2; i < chain.size(); ++i) {
        if (branches.branching[static_cast<size_t>(chain[i])] >= 2) {
            chain.resize(i + 1);
            break;
        }
    }
    return chain;
}

}  // namespace sinew
