#include <sinew/skin/deformers/joint_motion.h>

#include <Eigen/SVD>

namespace sinew {

JointMotion take_apart(const Affine& matrix) {
    constexpr double rounding = 2e-6;
    const Mat3d a = matrix.linear().cast<double>();
    const double side = a.determinant() < 0.0 ? -1.0 : 1.0;
    const Eigen::JacobiSVD<Mat3d> svd(side * a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3d u = svd.matrixU();
    // Only a singular matrix can still come out improper; its last direction is free.
    if ((u * svd.matrixV().transpose()).determinant() < 0.0) u.col(2) = -u.col(2);
    const Mat3d rotation = u * svd.matrixV().transpose();
    const Mat3d residue = a - rotation;

    JointMotion result;
    result.is_rigid = residue.cwiseAbs().maxCoeff() <= rounding;
    result.rigid = to_dual_quat(Quatd(rotation).normalized().cast<float>(), matrix.translation());
    if (!result.is_rigid) {
        result.stretch =
            (side * svd.matrixV() * svd.singularValues().asDiagonal() * svd.matrixV().transpose()).cast<float>();
        result.residue = residue.cast<float>();
    }
    return result;
}

std::vector<JointMotion> take_apart(std::span<const Affine> palette) {
    std::vector<JointMotion> motions;
    motions.reserve(palette.size());
    for (const Affine& matrix : palette) motions.push_back(take_apart(matrix));
    return motions;
}

}  // namespace sinew
