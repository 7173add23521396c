#include <sinew/sets/blend/registration.h>

#include <sinew/sets/graph/motion_graph.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

namespace {

// Column f, row k: how far frame f is from the one `first` + k frames later; infinite beyond the clip's end. In blocks,
// so that time and memory grow with the frames and not with their square.
Eigen::MatrixXf later_distances(const WindowClouds& clouds, Eigen::Index first, Eigen::Index last) {
    constexpr Eigen::Index block = 64;
    const Eigen::Index n = clouds.x.cols();
    Eigen::MatrixXf band = Eigen::MatrixXf::Constant(last - first + 1, n, INFINITY);
    for (Eigen::Index a = 0; a + first < n; a += block) {
        const Eigen::Index columns = std::min(block, n - a), b = a + first;
        const WindowClouds here = cut_clouds(clouds, static_cast<size_t>(a), static_cast<size_t>(columns) - 1);
        const WindowClouds there =
            cut_clouds(clouds, static_cast<size_t>(b), static_cast<size_t>(columns + last - first));
        const Eigen::MatrixXf d = cloud_distances(here, there);
        for (Eigen::Index i = 0; i < columns; ++i)
            for (Eigen::Index k = 0; k <= last - first && i + k < d.cols(); ++k) band(k, a + i) = d(i, i + k);
    }
    return band;
}

constexpr double smooth_frames = 3.0;                     // on each side: a tenth of a second
constexpr double slowest_pace = 0.5, fastest_pace = 2.0;  // of a cycle while another keeps an even one

// Dynamic time warping of three rounds of each: for each frame of the first, the mean of those that go with it.
// `distances`: of one round with one round.
std::vector<double> warp_rounds(const Eigen::MatrixXf& distances) {
    constexpr Eigen::Index rounds = 3;
    constexpr float slope_cost = 0.01f;  // metres: for standing still in one of the two
    const Eigen::Index n = rounds * distances.rows(), m = rounds * distances.cols();
    const Eigen::MatrixXf d = distances.replicate<rounds, rounds>();
    Eigen::MatrixXf sum = Eigen::MatrixXf::Constant(n, m, INFINITY);
    const auto from = [&](Eigen::Index i, Eigen::Index j) {
        return std::array{i > 0 && j > 0 ? sum(i - 1, j - 1) : INFINITY, i > 0 ? sum(i - 1, j) + slope_cost : INFINITY,
                          j > 0 ? sum(i, j - 1) + slope_cost : INFINITY};
    };
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < m; ++j)
            sum(i, j) = d(i, j) + (i == 0 && j == 0 ? 0.0f : std::ranges::min(from(i, j)));
    std::vector<double> with(static_cast<size_t>(n), 0.0), count(static_cast<size_t>(n), 0.0);
    for (Eigen::Index i = n - 1, j = m - 1;;) {
        with[static_cast<size_t>(i)] += static_cast<double>(j);
        count[static_cast<size_t>(i)] += 1.0;
        if (i == 0 && j == 0) break;
        const auto back = from(i, j);
        const auto best = std::ranges::min_element(back) - back.begin();
        if (best != 2) --i;
        if (best != 1) --j;
    }
    for (size_t i = 0; i < with.size(); ++i) with[i] /= count[i];
    return with;
}

// The mean over `reach` values on each side, in a round.
std::vector<double> smoothed_round(const std::vector<double>& values, size_t reach) {
    const size_t n = values.size();
    std::vector<double> out(n, 0.0);
    for (size_t k = 0; k < n; ++k)
        for (size_t off = 0; off <= 2 * reach; ++off)
            out[k] += values[(k + off + n - reach % n) % n] / static_cast<double>(2 * reach + 1);
    return out;
}

// Frames at even phases and at the end of the round, where no moment stands still or rushes by.
std::vector<double> with_even_pace(const std::vector<double>& ahead, double frames) {
    const size_t steps = ahead.size();
    const double even = frames / static_cast<double>(steps);
    std::vector<double> paces(steps);
    double sum = 0;
    for (size_t k = 0; k < steps; ++k) {
        paces[k] = std::clamp(even + ahead[(k + 1) % steps] - ahead[k], slowest_pace * even, fastest_pace * even);
        sum += paces[k];
    }
    std::vector<double> curve = {ahead.front()};
    for (const double pace : paces) curve.push_back(curve.back() + pace * frames / sum);
    return curve;
}

}  // namespace

CycleFrames find_cycle(const WindowClouds& clouds) {
    constexpr auto shortest = static_cast<Eigen::Index>(0.4 * graph_fps),
                   longest = static_cast<Eigen::Index>(2.5 * graph_fps);
    constexpr double same = 2.0;          // of the distance of neighbouring frames: ends farther apart are no cycle's
    constexpr float hardly_worse = 1.3f;  // a round is as good as two
    const Eigen::Index n = clouds.x.cols();
    if (n < shortest + 2) return {};
    const Eigen::MatrixXf next = later_distances(clouds, 1, 1), later = later_distances(clouds, shortest, longest);
    const double neighbours = static_cast<double>(next.leftCols(n - 1).mean());
    // Per length the best start.
    std::vector<std::pair<float, Eigen::Index>> best;
    for (Eigen::Index k = 0; k < later.rows(); ++k) {
        Eigen::Index at = 0;
        const float least = later.row(k).minCoeff(&at);
        if (std::isfinite(least)) best.emplace_back(least, at);
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
    const auto round = static_cast<Eigen::Index>(cycle.frames);
    const Eigen::RowVectorXf cost =
        cloud_distances(cut_clouds(reference, 0, 0), clouds) + later_distances(clouds, round, round);
    Eigen::Index at = 0;
    cost.minCoeff(&at);
    return static_cast<size_t>(at) + graph_reach;
}

std::vector<double> registration_curve(const WindowClouds& reference, const WindowClouds& cycle, size_t steps) {
    const Eigen::Index n = std::max<Eigen::Index>(reference.x.cols() - 1, 1),
                       m = std::max<Eigen::Index>(cycle.x.cols() - 1, 1);
    const std::vector<double> with = warp_rounds(cloud_distances(reference, cycle).topLeftCorner(n, m));
    // How far the middle round is ahead of an even pace; what it gains on the way is taken out, so that it closes.
    const auto frames = static_cast<double>(m);
    std::vector<double> ahead(steps);
    const auto at = [&](double i) {
        const auto k = std::min(static_cast<size_t>(i), with.size() - 2);
        const double u = i - static_cast<double>(k);
        return (1.0 - u) * with[k] + u * with[k + 1];
    };
    const double gain = at(2.0 * static_cast<double>(n)) - at(static_cast<double>(n)) - frames;
    for (size_t k = 0; k < steps; ++k) {
        const double phase = static_cast<double>(k) / static_cast<double>(steps);
        ahead[k] = at(static_cast<double>(n) * (1.0 + phase)) - frames - phase * (frames + gain);
    }
    const auto reach =
        static_cast<size_t>(std::lround(smooth_frames * static_cast<double>(steps) / static_cast<double>(n)));
    for (int pass = 0; pass < 2; ++pass) ahead = smoothed_round(ahead, std::max<size_t>(reach, 1));
    return with_even_pace(ahead, frames);
}

}  // namespace sinew
