#include <sinew/sets/blend/cycle_weights.h>

#include <sinew/sets/graph/motion_graph.h>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double seconds_of(const MotionLoop& loop) {
    return static_cast<double>(loop.frames()) / graph_fps;
}

// How much a loop's share costs: the farther from the wish, the more, in parts of how far the loops lie apart.
Eigen::VectorXd share_costs(const std::vector<MotionLoop>& loops, const LoopWish& wish) {
    constexpr double even = 0.1;  // loops within a third of the spread count alike
    const auto n = static_cast<Eigen::Index>(loops.size());
    Eigen::MatrixX3d off(n, 3), at(n, 3);
    for (Eigen::Index i = 0; i < n; ++i) {
        const MotionLoop& loop = loops[static_cast<size_t>(i)];
        at.row(i) << loop.way / seconds_of(loop), loop.yaw / seconds_of(loop), loop.slope;
        off.row(i) = at.row(i) - Eigen::RowVector3d(wish.speed, wish.turn, wish.slope);
    }
    const Eigen::RowVector3d spread = at.colwise().maxCoeff() - at.colwise().minCoeff();
    Eigen::VectorXd costs = Eigen::VectorXd::Constant(n, even);
    for (Eigen::Index c = 0; c < 3; ++c)
        if (spread[c] > 1e-9) costs += (off.col(c) / spread[c]).cwiseAbs2();
    return costs;
}

}  // namespace

Eigen::VectorXd cycle_weights(const std::vector<MotionLoop>& loops, const LoopWish& wish) {
    const auto n = static_cast<Eigen::Index>(loops.size());
    const Eigen::VectorXd ease = share_costs(loops, wish).cwiseSqrt().cwiseInverse();
    Eigen::VectorXd weights = Eigen::VectorXd::Zero(n);
    std::vector<Eigen::Index> used;
    for (Eigen::Index i = 0; i < n; ++i) used.push_back(i);
    while (true) {
        // Least Σ cost·w², with w = ease·v: the shortest v that meets the rows.
        const auto k = static_cast<Eigen::Index>(used.size());
        Eigen::MatrixXd rows(4, k);
        for (Eigen::Index c = 0; c < k; ++c) {
            const Eigen::Index i = used[static_cast<size_t>(c)];
            const MotionLoop& loop = loops[static_cast<size_t>(i)];
            rows.col(c) << 1.0, loop.way - wish.speed * seconds_of(loop), loop.yaw - wish.turn * seconds_of(loop),
                loop.way * (loop.slope - wish.slope);
            rows.col(c) *= ease[i];
        }
        Eigen::VectorXd own = rows.completeOrthogonalDecomposition().solve(Eigen::Vector4d(1, 0, 0, 0));
        for (Eigen::Index c = 0; c < k; ++c) own[c] *= ease[used[static_cast<size_t>(c)]];
        Eigen::Index worst = 0;
        // A loop that would count less than nothing is left out.
        if (k == 1 || own.minCoeff(&worst) >= 0.0) {
            for (Eigen::Index c = 0; c < k; ++c) weights[used[static_cast<size_t>(c)]] = std::max(0.0, own[c]);
            break;
        }
        used.erase(used.begin() + worst);
    }
    const double sum = weights.sum();
    if (sum > 1e-9) return weights / sum;
    // The wish lies beyond them all: the nearest.
    Eigen::Index nearest = 0;
    ease.maxCoeff(&nearest);
    return Eigen::VectorXd::Unit(n, nearest);
}

}  // namespace sinew
