#include <sinew/clip/compiled/shell_error.h>

#include <algorithm>
#include <cmath>

namespace sinew {

double shell_error(const AffineD& a, const AffineD& b, double shell) {
    const Vec3d offset = a.translation() - b.translation();
    const Mat3d linear = a.linear() - b.linear();
    const Mat3d square = linear.transpose() * linear;
    // |offset + linear p|² over all |p| ≤ shell is at most the sum of the largest of each term; that of |linear p|² is
    // the largest eigenvalue of `square`, by the cosine formula for the roots of a cubic.
    const double mean = square.trace() / 3.0;
    const Mat3d rest = square - mean * Mat3d::Identity();
    const double size = rest.norm() / std::sqrt(6.0);
    const double cosine = size > 0.0 ? std::clamp(0.5 * (rest / size).determinant(), -1.0, 1.0) : 0.0;
    const double most = mean + 2.0 * size * std::cos(std::acos(cosine) / 3.0);
    const double cross = (linear.transpose() * offset).norm();
    return std::sqrt(std::max(0.0, offset.squaredNorm() + 2.0 * shell * cross + shell * shell * most));
}

bool shell_error_may_reach(const AffineD& a, const AffineD& b, double shell, double limit) {
    const Vec3d offset = a.translation() - b.translation();
    const Mat3d linear = a.linear() - b.linear();
    // The largest eigenvalue of linearᵀ linear is at most the sum of all three.
    constexpr double rounding = 1.0 + 1e-9;
    const double most = offset.squaredNorm() + 2.0 * shell * (linear.transpose() * offset).norm() +
                        shell * shell * linear.squaredNorm();
    return rounding * most >= limit * limit;
}

}  // namespace sinew
