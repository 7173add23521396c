#include <sinew/skeleton/humanoid/humanoid_limbs.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>

namespace sinew {
namespace {

bool belongs(LimbKind kind, BodyPart part) {
    return kind == LimbKind::leg ? part >= BodyPart::hip_socket && part <= BodyPart::toes
                                 : part >= BodyPart::clavicle && part <= BodyPart::hand;
}

// How well a word fits each joint of a limb. Words that conventions use for two joints score for both, and the rest of
// the chain decides: "leg" is a shin below "upleg", and a thigh above another "leg".
std::array<double, 4> slot_scores(LimbKind kind, BodyPart part) {
    if (kind == LimbKind::arm) {
        switch (part) {
            case BodyPart::clavicle:
                return {10, -5, -9, -9};
            case BodyPart::shoulder:
                return {6, 4, -5, -9};
            case BodyPart::upper_arm:
                return {-3, 10, -5, -9};
            case BodyPart::elbow:
                return {-9, -3, 9, -5};
            case BodyPart::lower_arm:
                return {-9, -5, 10, -5};
            case BodyPart::wrist:
                return {-9, -9, -2, 6};
            case BodyPart::hand:
                return {-9, -9, -9, 10};
            default:
                return {1, 5, 3, 1.5};
        }
    }
    switch (part) {
        case BodyPart::hip_socket:
            return {3, -9, -9, -9};
        case BodyPart::upper_leg:
            return {10, -5, -9, -9};
        case BodyPart::knee:
            return {-3, 9, -5, -9};
        case BodyPart::lower_leg:
            return {-5, 10, -5, -9};
        case BodyPart::ankle:
            return {-9, -5, 7, -2};
        case BodyPart::foot:
            return {-9, -9, 10, 4};
        case BodyPart::toes:
            return {-9, -9, -9, 10};
        default:
            return {4, 5, 1.5, 0.5};
    }
}

// The cost of skipping a joint: low for a twist joint in line with its neighbours, high where the limb bends.
double skip_cost(const BodyTree& tree, const std::vector<int32_t>& chain, int i) {
    const auto bend = [&](const std::vector<Vec3d>& place) {
        const auto at = [&](int k) -> const Vec3d& {
            return place[static_cast<size_t>(chain[static_cast<size_t>(k)])];
        };
        const Vec3d in = at(i) - at(i - 1), out = at(i + 1) - at(i);
        const double scale = in.squaredNorm() * out.squaredNorm();
        return scale > 0 ? in.cross(out).squaredNorm() / scale : 0.0;
    };
    double most = bend(tree.position);
    for (const std::vector<Vec3d>& moment : tree.moments) most = std::max(most, bend(moment));
    return 0.3 + 2 * most;
}

// Similar segments that fill the chain count for a limb; skipped joints count against it.
double shape_score(const BodyTree& tree, const std::vector<int32_t>& chain, int upper, int lower, int end) {
    double total = 0, skipped = 0;
    for (size_t i = 1; i < chain.size(); ++i) total += (tree.at(chain[i]) - tree.at(chain[i - 1])).norm();
    const int last = end >= 0 ? end : static_cast<int>(chain.size()) - 1;
    const auto at = [&](int i) -> const Vec3d& { return tree.at(chain[static_cast<size_t>(i)]); };
    const double first = (at(lower) - at(upper)).norm(), second = (at(last) - at(lower)).norm();
    if (!(total > 0) || !(std::max(first, second) > 0)) return 0;
    for (int i = upper + 1; i < end; ++i)
        if (i != lower) skipped += skip_cost(tree, chain, i);
    return 3 * std::min(first, second) / std::max(first, second) + 5 * (first + second) / total - skipped;
}

}  // namespace

BodyTree make_body_tree(const Skeleton& skeleton) {
    BodyTree tree{skeleton, {}, {}, children_of(skeleton.parents()), {}};
    for (const AffineD& world : rest_world(skeleton)) tree.position.push_back(world.translation());
    for (size_t j = 0; j < skeleton.size(); ++j) {
        tree.names.push_back(parse_joint_name(skeleton.names()[j]));
        const int32_t parent = skeleton.parents()[j];
        tree.depth.push_back(parent < 0 ? 0 : tree.depth[static_cast<size_t>(parent)] + 1);
    }
    return tree;
}

BodyTree make_body_tree(const Skeleton& skeleton, std::span<const std::vector<Vec3d>> moments) {
    BodyTree tree = make_body_tree(skeleton);
    tree.moments.assign(moments.begin(), moments.end());
    double most = -1;
    for (const std::vector<Vec3d>& moment : tree.moments) {
        const double size = diagonal(moment);
        if (size <= most) continue;
        most = size;
        tree.position = moment;
    }
    return tree;
}

double diagonal(std::span<const Vec3d> places) {
    if (places.empty()) return 0;
    Vec3d low = places[0], high = low;
    for (const Vec3d& p : places) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    return (high - low).norm();
}

bool is_ancestor_or_self(const BodyTree& tree, int32_t ancestor, int32_t joint) {
    while (joint > ancestor) joint = tree.parent(joint);  // parents stand before children
    return joint == ancestor;
}

int32_t common_ancestor(const BodyTree& tree, int32_t a, int32_t b) {
    while (a != b && a >= 0 && b >= 0) (a > b ? a : b) = tree.parent(std::max(a, b));
    return a == b ? a : -1;
}

std::vector<int32_t> path_below(const BodyTree& tree, int32_t top, int32_t joint) {
    std::vector<int32_t> path;
    for (; joint > top; joint = tree.parent(joint)) path.push_back(joint);
    std::ranges::reverse(path);
    return path;
}

std::optional<Limb> fit_limb(const BodyTree& tree, LimbKind kind, const std::vector<int32_t>& chain) {
    std::vector<Limb> fit = fit_alike(tree, kind, {&chain, 1});
    if (fit.empty()) return std::nullopt;
    return fit[0];
}

std::vector<Limb> fit_alike(const BodyTree& tree, LimbKind kind, std::span<const std::vector<int32_t>> chains) {
    // A limb has few joints. A longer chain is something else, and its first joints are enough to try.
    size_t shortest = 16;
    for (const auto& chain : chains) shortest = std::min(shortest, chain.size());
    const int n = static_cast<int>(shortest);
    std::vector<std::vector<std::array<double, 4>>> scores(chains.size());
    for (size_t c = 0; c < chains.size(); ++c)
        for (const int32_t joint : chains[c]) scores[c].push_back(slot_scores(kind, tree.name(joint).part));

    std::optional<std::array<int, 4>> best;
    double best_score = 0;
    std::vector<std::vector<int32_t>> cut;
    for (const auto& chain : chains) cut.emplace_back(chain.begin(), chain.begin() + n);
    const auto consider = [&](std::array<int, 4> pick, int upper, int lower, int end) {
        double total = 0;
        for (size_t c = 0; c < cut.size(); ++c) {
            total += shape_score(tree, cut[c], upper, lower, end);
            for (size_t slot = 0; slot < 4; ++slot)
                total += pick[slot] < 0 ? 0.0 : scores[c][static_cast<size_t>(pick[slot])][slot];
        }
        if (best && total <= best_score) return;
        best = pick;
        best_score = total;
    };
    for (int upper = 0; upper < n; ++upper) {
        for (int lower = upper + 1; lower < n; ++lower) {
            for (int end = lower; end < n; ++end) {
                const int tip = end == lower ? -1 : end;  // end == lower stands for "no hand, no foot"
                if (kind == LimbKind::arm) {
                    for (int first = -1; first < upper; ++first)
                        consider({first, upper, lower, tip}, upper, lower, tip);
                } else {
                    consider({upper, lower, tip, -1}, upper, lower, tip);
                    if (tip < 0) continue;
                    for (int toes = tip + 1; toes < n; ++toes) consider({upper, lower, tip, toes}, upper, lower, tip);
                }
            }
        }
    }
    std::vector<Limb> limbs;
    for (size_t c = 0; best && c < cut.size(); ++c) {
        Limb limb{{-1, -1, -1, -1}, best_score / static_cast<double>(cut.size())};
        for (size_t slot = 0; slot < 4; ++slot)
            if ((*best)[slot] >= 0) limb.joint[slot] = cut[c][static_cast<size_t>((*best)[slot])];
        limbs.push_back(limb);
    }
    return limbs;
}

std::optional<Limb> find_named_limb(const BodyTree& tree, LimbKind kind, Side side) {
    const size_t n = tree.names.size();
    std::vector<char> member(n, 0), has_below(n, 0);
    for (size_t j = 0; j < n; ++j) {
        const JointName& name = tree.names[j];
        member[j] = name.side == side && belongs(kind, name.part) && !name.helper && !name.metacarpal;
    }
    for (size_t j = n; j-- > 0;) {
        const int32_t parent = tree.skeleton.parents()[j];
        if (parent >= 0 && (member[j] || has_below[j])) has_below[static_cast<size_t>(parent)] = 1;
    }
    std::optional<Limb> best;
    for (size_t j = 0; j < n; ++j) {
        if (!member[j] || has_below[j]) continue;
        std::vector<int32_t> chain;
        for (const int32_t joint : path_below(tree, -1, static_cast<int32_t>(j)))
            if (member[static_cast<size_t>(joint)]) chain.push_back(joint);
        auto limb = fit_limb(tree, kind, chain);
        if (!limb) continue;
        for (const int32_t joint : limb->joint)
            if (joint >= 0 && tree.name(joint).deform) limb->score += 0.2;
        if (!best || limb->score > best->score) best = limb;
    }
    // A limb has two joints whose names leave no doubt; a lower score comes from stray words.
    if (best && best->score < 5) best.reset();
    // With several toes side by side, none of them is "the toes".
    if (best && kind == LimbKind::leg && best->joint[3] >= 0) {
        const int32_t toes = best->joint[3];
        for (size_t j = static_cast<size_t>(best->joint[2]) + 1; j < n && best->joint[3] >= 0; ++j) {
            const auto other = static_cast<int32_t>(j);
            if (!member[j] || tree.name(other).part != BodyPart::toes ||
                !is_ancestor_or_self(tree, best->joint[2], other))
                continue;
            if (!is_ancestor_or_self(tree, toes, other) && !is_ancestor_or_self(tree, other, toes)) best->joint[3] = -1;
        }
    }
    return best;
}

}  // namespace sinew
