#include <sinew/rig/fit/generic.h>

#include <sinew/rig/body/curve_skeleton.h>
#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/priors/cues.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us, on the shapes of tests/rig/shapes_test.cpp. Shares of the body's diagonal:
// the shortest branch that counts, the length over which a bend is seen, and the length of a bone.
constexpr double shortest_branch = 0.07, bend_span = 0.06, bone_length = 0.11;
// A bend is sharp from 45 degrees on (cosine); a branch is walked along in steps of this share of the span.
constexpr double sharp = 0.7, bend_step = 0.2;
// The first joint is no farther along a branch than this share of it.
constexpr double first_joint_most = 0.4;
// Bones between two bends, at most: a snake's.
constexpr int most_bones = 24;
// Where a branch's joints go is a choice, so they are less sure than a creature's.
constexpr double branch_joint_confidence = 0.6;

// The nodes from a fork (exclusive) to the next fork or tip (inclusive).
struct Branch {
    int fork = 0;
    std::vector<int> nodes;
    double length = 0.0;
};

std::vector<Branch> branches_of(const CurveSkeleton& tree) {
    std::vector<std::vector<int>> children(tree.parent.size());
    for (int j = 1; j < tree.size(); ++j)
        children[static_cast<size_t>(tree.parent[static_cast<size_t>(j)])].push_back(j);
    std::vector<Branch> branches;
    std::vector<int> forks = {0};
    for (size_t f = 0; f < forks.size(); ++f) {
        for (int child : children[static_cast<size_t>(forks[f])]) {
            Branch branch{.fork = forks[f]};
            for (int at = child;;) {
                branch.nodes.push_back(at);
                branch.length += tree.length(at);
                if (children[static_cast<size_t>(at)].size() != 1) break;
                at = children[static_cast<size_t>(at)].front();
            }
            if (!children[static_cast<size_t>(branch.nodes.back())].empty()) forks.push_back(branch.nodes.back());
            branches.push_back(std::move(branch));
        }
    }
    return branches;
}

Vec3d along(const CurveSkeleton& tree, const Branch& branch, double length) {
    for (int node : branch.nodes) {
        const double step = tree.length(node);
        const Vec3d& to = tree.position[static_cast<size_t>(node)];
        const Vec3d& from = tree.position[static_cast<size_t>(tree.parent[static_cast<size_t>(node)])];
        if (length <= step) return step > 0.0 ? Vec3d(from + (to - from) * (length / step)) : to;
        length -= step;
    }
    return tree.position[static_cast<size_t>(branch.nodes.back())];
}

// Where a branch turns sharply, in lengths along it: joints belong there.
std::vector<double> find_bends(const CurveSkeleton& tree, const Branch& branch, double from, double span) {
    std::vector<double> bends;
    double least = sharp, best = 0.0;
    for (double at = from + span; at < branch.length - span; at += bend_step * span) {
        const Vec3d here = along(tree, branch, at), before = here - along(tree, branch, at - span),
                    behind = along(tree, branch, at + span) - here;
        const double turn = before.normalized().dot(behind.normalized());
        if (turn < least) least = turn, best = at;
        if (best > 0.0 && (turn > sharp || at - best > span)) bends.push_back(best), best = 0.0, least = sharp;
    }
    if (best > 0.0) bends.push_back(best);
    return bends;
}

}  // namespace

Fit fit_generic(const Upright& upright) {
    Fit fit;
    const double size = (upright.body.high - upright.body.low).norm();
    CurveSkeleton tree = find_curve_skeleton(upright.body, upright.ends, shortest_branch * size);
    keep_inside(upright.body, tree);
    if (tree.size() == 0) {
        fit.add("hips", -1, 0.5 * (upright.body.low + upright.body.high));
        settle_confidence(fit, cues::grown, 0.0, 0.0);
        return fit;
    }
    std::vector<int> joint(tree.parent.size(), -1);
    joint[0] = fit.add("hips", -1, tree.position[0]);
    int number = 0;
    for (const Branch& branch : branches_of(tree)) {
        const std::string name = "branch" + std::to_string(++number) + "_";
        int parent = joint[static_cast<size_t>(branch.fork)], count = 0;
        // The first joint is where the branch leaves the body, not inside it.
        double from = std::min(tree.radius[static_cast<size_t>(branch.fork)], first_joint_most * branch.length);
        std::vector<double> stops = find_bends(tree, branch, from, bend_span * size);
        stops.push_back(branch.length);
        double start = 0.0;
        for (const double to : stops) {
            const int segments =
                std::clamp(static_cast<int>(std::lround((to - start) / (bone_length * size))), 1, most_bones);
            for (int k = 0; k < segments; ++k)
                parent = fit.add(name + std::to_string(++count), parent,
                                 along(tree, branch, from + (to - from) * k / segments), branch_joint_confidence);
            start = from = to;
        }
        joint[static_cast<size_t>(branch.nodes.back())] = parent;
    }
    settle_confidence(fit, cues::grown, 0.0, plausible(cues::grown, 0.0));
    return fit;
}

}  // namespace sinew
