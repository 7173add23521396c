#include <sinew/math/transform.h>

#include <Eigen/SVD>
#include <cmath>

namespace sinew {
namespace {

template <class Scalar>
auto compose(const Transform& transform) {
    Eigen::Transform<Scalar, 3, Eigen::AffineCompact, Eigen::DontAlign> result;
    const Eigen::Quaternion<Scalar> rotation = transform.rotation.cast<Scalar>().normalized();
    result.linear() = rotation.toRotationMatrix() * transform.scale.cast<Scalar>().asDiagonal();
    result.translation() = transform.translation.cast<Scalar>();
    return result;
}

}  // namespace

Affine to_affine(const Transform& transform) {
    return compose<float>(transform);
}
AffineD to_affine_d(const Transform& transform) {
    return compose<double>(transform);
}

Decomposition decompose(const AffineD& matrix) {
    const Mat3d linear = matrix.linear();
    Vec3d scale = linear.colwise().norm().transpose();
    const double largest = scale.maxCoeff();
    if (linear.determinant() < 0.0) scale.x() = -scale.x();

    // The nearest rotation to the normalised columns (polar decomposition): exact without shear, and defined even where
    // a column vanishes.
    Mat3d directions = Mat3d::Identity();
    for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(scale[axis]) > 1e-12 * largest)
            directions.col(axis) = linear.col(axis) / scale[axis];
        else
            directions.col(axis).setZero();
    }
    const Eigen::JacobiSVD<Mat3d> svd(directions, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3d u = svd.matrixU();
    if ((u * svd.matrixV().transpose()).determinant() < 0.0) u.col(2) = -u.col(2);
    const Mat3d rotation = u * svd.matrixV().transpose();

    Decomposition result;
    result.transform.translation = matrix.translation().cast<float>();
    result.transform.rotation = Quatd(rotation).normalized().cast<float>();
    result.transform.scale = scale.cast<float>();
    if (largest > 0.0) {
        const Mat3d rebuilt = rotation * scale.asDiagonal();
        result.shear_error = (rebuilt - linear).cwiseAbs().maxCoeff() / largest;
    }
    return result;
}

}  // namespace sinew
