#include <sinew/sets/clean/calm_together.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr size_t most_curves = 60;  // that are looked at together: the work grows with their cube

// What is left of a movement of this size in units of the noise's; `shape` is the shorter side of the matrix to the
// longer one.
double shrink_share(double size, double shape) {
    if (!(size > 1.0 + std::sqrt(shape))) return 0.0;
    const double square = size * size, inner = square - shape - 1.0;
    return std::sqrt(std::max(0.0, inner * inner - 4.0 * shape)) / square;
}

}  // namespace

void calm_together(const std::vector<SmoothedCurve>& curves) {
    constexpr size_t fewest_curves = 4;
    if (curves.size() < fewest_curves) return;
    const size_t count = std::min(curves.size(), most_curves);
    const Eigen::Index n = curves[0].signal->rows(), channels = 4;
    constexpr double free_channels = 3.0;  // a quaternion has four numbers, and three ways to go
    Eigen::MatrixXd all(n, channels * static_cast<Eigen::Index>(count));
    Eigen::RowVectorXd mean(all.cols());
    std::vector<double> left;  // noise in each channel
    double samples = 0;        // that are independent after smoothing
    for (size_t c = 0; c < count; ++c) {
        const double freedom = smoothing_freedom(curves[c].cutoff, n);
        left.push_back(curves[c].noise * std::sqrt(freedom / (free_channels * static_cast<double>(n))));
        samples += freedom / static_cast<double>(count);
        const Eigen::Index at = channels * static_cast<Eigen::Index>(c);
        mean.segment(at, channels) = curves[c].signal->colwise().mean();
        all.middleCols(at, channels) = (curves[c].signal->rowwise() - mean.segment(at, channels)) / left.back();
    }
    // Small movements are motion as often as noise: of noise of full size too much would go. Measured on captures.
    constexpr double trust = 0.6;
    const double ways = free_channels * static_cast<double>(count), longer = std::max(samples, ways);
    const double unit = trust * std::sqrt(static_cast<double>(n) / samples * longer);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(all.transpose() * all);
    Eigen::VectorXd share(all.cols());
    for (Eigen::Index i = 0; i < share.size(); ++i)
        share[i] =
            shrink_share(std::sqrt(std::max(0.0, axes.eigenvalues()[i])) / unit, std::min(samples, ways) / longer);
    all = (all * axes.eigenvectors() * share.asDiagonal() * axes.eigenvectors().transpose()).eval();
    for (size_t c = 0; c < count; ++c) {
        const Eigen::Index at = channels * static_cast<Eigen::Index>(c);
        *curves[c].signal = (all.middleCols(at, channels) * left[c]).rowwise() + mean.segment(at, channels);
    }
}

}  // namespace sinew
