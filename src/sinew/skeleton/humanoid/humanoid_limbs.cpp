#include <sinew/skeleton/forward_kinematics.h>
#include <sinew/skeleton/humanoid/humanoid_limbs.h>
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
    const auto at = [&](int k) -> const Vec3d& { return tree.at(chain[static_cast<size_t>(k)]); };
    const Vec3d in = at(i) - at(i - 1), out = at(i + 1) - at(i);
    const double scale = in.squaredNorm() * out.squaredNorm();
    return 0.3 + (scale > 0 ? 2 * in.cross(out).squaredNorm() / scale : 0.0);
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

std::optional<Limb> fit_limb(const BodyTree& tree, LimbKind kind, const std::vector<int32_t>& whole_chain) {
    // A limb has few joints. A longer chain is something else, and its first joints are enough to try.
    const std::vector<int32_t> chain(whole_chain.begin(),
                                     whole_chain.begin() + std::min<size_t>(whole_chain.size(), 16));
    const int n = static_cast<int>(chain.size());
    std::vector<std::array<double, 4>> scores;
    for (const int32_t joint : chain) scores.push_back(slot_scores(kind, tree.name(joint).part));
    const auto score = [&](int i, size_t slot) { return i < 0 ? 0.0 : scores[static_cast<size_t>(i)][slot]; };
    const auto joint = [&](int i) { return i < 0 ? -1 : chain[static_cast<size_t>(i)]; };

    std::optional<Limb> best;
    const auto consider = [&](std::array<int, 4> pick, int upper, int lower, int end) {
        double total = shape_score(tree, chain, upper, lower, end);
        for (size_t slot = 0; slot < 4; ++slot) total += score(pick[slot], slot);
        if (best && total <= best->score) return;
        best = Limb{{joint(pick[0]), joint(pick[1]), joint(pick[2]), joint(pick[3])}, total};
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
    return best;
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
