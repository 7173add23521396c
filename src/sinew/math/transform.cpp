#include <sinew/math/transform.h>

#include <Eigen/SVD>
#include <cmath>

namespace sinew {

Affine to_affine(const Transform& transform) {
    Affine result;
    result.linear() = transform.rotation.normalized().toRotationMatrix() * transform.scale.asDiagonal();
    result.translation() = transform.translation;
    return result;
}

// Every joint of every frame comes by here: written out, and without the square root that a unit quaternion would take.
AffineD to_affine_d(const Transform& transform) {
    const Quatd q = transform.rotation.cast<double>();
    const double squared = q.squaredNorm(), s = squared > 0.0 ? 2.0 / squared : 0.0;
    const double x = q.x() * s, y = q.y() * s, z = q.z() * s;
    const double xx = q.x() * x, xy = q.x() * y, xz = q.x() * z, yy = q.y() * y, yz = q.y() * z, zz = q.z() * z;
    const double wx = q.w() * x, wy = q.w() * y, wz = q.w() * z;
    const Vec3d scale = transform.scale.cast<double>();
    AffineD result;
    result.matrix().col(0) = scale.x() * Vec3d(1.0 - (yy + zz), xy + wz, xz - wy);
    result.matrix().col(1) = scale.y() * Vec3d(xy - wz, 1.0 - (xx + zz), yz + wx);
    result.matrix().col(2) = scale.z() * Vec3d(xz + wy, yz - wx, 1.0 - (xx + yy));
    result.matrix().col(3) = transform.translation.cast<double>();
    return result;
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
