#include <sinew/sets/blend/registration.h>

#include <sinew/sets/graph/motion_graph.h>
#include <algorithm>
#include <cmath>

namespace sinew {

CycleFrames find_cycle(const WindowClouds& clouds) {
    constexpr auto shortest = static_cast<Eigen::Index>(0.4 * graph_fps),
                   longest = static_cast<Eigen::Index>(2.5 * graph_fps);
    constexpr double same = 2.0;          // of the distance of neighbouring frames: ends farther apart are no cycle's
    constexpr float hardly_worse = 1.3f;  // a round is as good as two
    const Eigen::MatrixXf d = cloud_distances(clouds, clouds);
    if (d.rows() < shortest + 2) return {};
    double neighbours = 0;
    for (Eigen::Index f = 0; f + 1 < d.rows(); ++f) neighbours += d(f, f + 1) / static_cast<double>(d.rows() - 1);
    // Per length the best start.
    std::vector<std::pair<float, Eigen::Index>> best;
    for (Eigen::Index length = shortest; length <= std::min(longest, d.rows() - 1); ++length) {
        Eigen::Index at = 0;
        const float least = d.diagonal(length).minCoeff(&at);
        best.emplace_back(least, at);
    }
    if (best.empty()) return {};
    const float least = std::ranges::min_element(best)->first;
    const float limit = std::max(hardly_worse * least, static_cast<float>(0.5 * neighbours));
    if (least > same * neighbours) return {};
    for (size_t k = 0; k < best.size(); ++k) {
        if (best[k].first > limit) continue;
        // The bottom of this dip, not its rim.
        while (k + 1 < best.size() && best[k + 1].first < best[k].first) ++k;
        return {static_cast<size_t>(best[k].second) + graph_reach, k + static_cast<size_t>(shortest)};
    }
    return {};
}

WindowClouds cut_clouds(const WindowClouds& clouds, size_t first, size_t frames) {
    const auto a = std::min(static_cast<Eigen::Index>(first), clouds.x.cols() - 1);
    const auto n = std::min(static_cast<Eigen::Index>(frames) + 1, clouds.x.cols() - a);
    return {clouds.x.middleCols(a, n), clouds.y.middleCols(a, n), clouds.z.middleCols(a, n),
            clouds.power.segment(a, n)};
}

size_t best_start(const WindowClouds& reference, const WindowClouds& clouds, const CycleFrames& cycle) {
    const Eigen::MatrixXf d = cloud_distances(cut_clouds(reference, 0, 0), clouds);
    const auto last = static_cast<Eigen::Index>(cycle.frames);
    Eigen::Index at = 0;
    // A whole round must still follow.
    const Eigen::Index starts = std::max<Eigen::Index>(1, d.cols() - last);
    d.row(0).head(starts).minCoeff(&at);
    return static_cast<size_t>(at) + graph_reach;
}

std::vector<double> registration_curve(const WindowClouds& reference, const WindowClouds& cycle, size_t steps) {
    const Eigen::MatrixXf d = cloud_distances(reference, cycle);
    const Eigen::Index n = d.rows(), m = d.cols();
    constexpr float slope_cost = 0.01f;  // metres: for standing still in one of the two
    Eigen::MatrixXf sum = Eigen::MatrixXf::Constant(n, m, INFINITY);
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < m; ++j) {
            float before = i == 0 && j == 0 ? 0.0f : INFINITY;
            if (i > 0 && j > 0) before = std::min(before, sum(i - 1, j - 1));
            if (i > 0) before = std::min(before, sum(i - 1, j) + slope_cost);
            if (j > 0) before = std::min(before, sum(i, j - 1) + slope_cost);
            sum(i, j) = before + d(i, j);
        }
    // Back along the least sum: for each frame of the reference the mean of what goes with it.
    std::vector<double> with(static_cast<size_t>(n), 0.0), count(static_cast<size_t>(n), 0.0);
    for (Eigen::Index i = n - 1, j = m - 1; i >= 0 && j >= 0;) {
        with[static_cast<size_t>(i)] += static_cast<double>(j);
        count[static_cast<size_t>(i)] += 1.0;
        const float both = i > 0 && j > 0 ? sum(i - 1, j - 1) : INFINITY,
                    up = i > 0 ? sum(i - 1, j) + slope_cost : INFINITY,
                    left = j > 0 ? sum(i, j - 1) + slope_cost : INFINITY;
        if (both <= up && both <= left)
            --i, --j;
        else if (up <= left)
            --i;
        else
            --j;
        if (!(both < INFINITY) && !(up < INFINITY) && !(left < INFINITY)) break;
    }
    for (size_t i = 0; i < with.size(); ++i) with[i] = count[i] > 0.0 ? with[i] / count[i] : static_cast<double>(i);
    with.front() = 0.0;
    with.back() = static_cast<double>(m - 1);
    // Smoothed over a tenth of a second, so that no moment stands still.
    std::vector<double> curve(steps + 1);
    for (size_t k = 0; k <= steps; ++k) {
        const double at = static_cast<double>(k) / static_cast<double>(steps) * static_cast<double>(n - 1);
        double total = 0, weights = 0;
        for (double off = -3.0; off <= 3.0; off += 1.0) {
            const double f = std::clamp(at + off, 0.0, static_cast<double>(n - 1));
            const auto i = std::min(static_cast<size_t>(f), static_cast<size_t>(std::max<Eigen::Index>(n - 2, 0)));
            const double u = f - static_cast<double>(i);
            const double value = (1.0 - u) * with[i] + u * with[std::min(i + 1, with.size() - 1)];
            // Taken back to the middle along the straight line.
            const double slope = static_cast<double>(m - 1) / std::max(1.0, static_cast<double>(n - 1));
            total += value - slope * (f - at);
            weights += 1.0;
        }
        curve[k] = total / weights;
    }
    curve.front() = 0.0;
    curve.back() = static_cast<double>(m - 1);
    for (size_t k = 1; k < curve.size(); ++k)
        curve[k] = std::clamp(std::max(curve[k], curve[k - 1]), 0.0, static_cast<double>(m - 1));
    return curve;
}

}  // namespace sinew
