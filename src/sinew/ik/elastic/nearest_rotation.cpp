#include <sinew/ik/elastic/nearest_rotation.h>

#include <Eigen/SVD>
#include <cmath>

namespace sinew {
namespace {

// Newton's iteration is used where the smallest stretch is at least about this share of the largest, cubed.
constexpr double safely_regular = 1e-4;
// Squared change, of a matrix whose squared norm is 3; the change of the next round would be the square of this one's.
constexpr double converged = 1e-11;
constexpr int most_rounds = 20;

Mat3d by_svd(const Mat3d& m) {
    const Eigen::JacobiSVD<Mat3d> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3d u = svd.matrixU();
    if ((u * svd.matrixV().transpose()).determinant() < 0.0) u.col(2) = -u.col(2);
    return u * svd.matrixV().transpose();
}

// The transposed inverse times the determinant.
Mat3d cofactors(const Mat3d& m) {
    Mat3d c;
    c.col(0) = m.col(1).cross(m.col(2));
    c.col(1) = m.col(2).cross(m.col(0));
    c.col(2) = m.col(0).cross(m.col(1));
    return c;
}

}  // namespace

// X ← (γ X + X⁻ᵀ / γ) / 2 with γ = √(‖X⁻¹‖ / ‖X‖) [Higham1986].
Mat3d nearest_rotation(const Mat3d& m) {
    const double size = m.norm();
    if (!(size > 0.0) || !std::isfinite(size)) return Mat3d::Identity();
    Mat3d x = m / size;
    if (!(x.determinant() > safely_regular)) return by_svd(x);
    for (int round = 0; round < most_rounds; ++round) {
        const Mat3d inverse_transposed = cofactors(x) / x.determinant();
        const double a = x.squaredNorm(), b = inverse_transposed.squaredNorm();
        const double scale = std::sqrt(std::sqrt(b / a));
        const Mat3d next = (0.5 * scale) * x + (0.5 / scale) * inverse_transposed;
        const double change = (next - x).squaredNorm();
        x = next;
        if (change < converged) break;
    }
    return x;
}

}  // namespace sinew
