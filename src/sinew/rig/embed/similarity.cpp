#include <sinew/rig/embed/similarity.h>

#include <Eigen/SVD>
#include <cmath>

namespace sinew {

Similarity fit_similarity(std::span<const PointPair> pairs) {
    Similarity result;
    Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
    for (const auto& [p, q] : pairs) from += p, to += q;
    from /= static_cast<double>(pairs.size());
    to /= static_cast<double>(pairs.size());
    Mat3d spread = Mat3d::Zero();
    double before = 0.0, after = 0.0;
    for (const auto& [p, q] : pairs) {
        spread += (q - to) * (p - from).transpose();
        before += (p - from).squaredNorm();
        after += (q - to).squaredNorm();
    }
    if (!(before > 0.0) || !(after > 0.0)) return result;
    const Eigen::JacobiSVD<Mat3d> svd(spread, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0.0 ? -1.0 : 1.0;
    result.turn = svd.matrixU() * Vec3d(1.0, 1.0, sign).asDiagonal() * svd.matrixV().transpose();
    result.scale = std::sqrt(after / before);
    return result;
}

}  // namespace sinew
