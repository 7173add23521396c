#include <sinew/math/interpolate.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

// Files write unit quaternions with as few as three digits. glTF's formula takes those as they stand, and so do other
// programs; only what is no unit quaternion by any reading is made one first.
Eigen::Vector4d nearly_unit(const Quatd& q) {
    const double length = q.coeffs().norm();
    return std::abs(length - 1.0) < 5e-3 ? Eigen::Vector4d(q.coeffs()) : Eigen::Vector4d(q.coeffs() / length);
}

}  // namespace

Quatd slerp(const Quatd& a, const Quatd& b, double u) {
    const Eigen::Vector4d from = nearly_unit(a);
    Eigen::Vector4d to = nearly_unit(b);
    double cosine = from.dot(to);
    if (cosine < 0.0) {
        to = -to;
        cosine = -cosine;
    }
    Quatd result;
    // Near zero angle sin(θ) cancels; the chord is then as good as the arc.
    if (cosine > 1.0 - 1e-9) {
        result.coeffs() = from + (to - from) * u;
    } else {
        const double angle = std::acos(std::min(cosine, 1.0));
        result.coeffs() = (std::sin((1.0 - u) * angle) * from + std::sin(u * angle) * to) / std::sin(angle);
    }
    result.normalize();
    return result;
}

float angle_between(const Quat& a, const Quat& b) {
    const Quatd difference = Quatd(a.cast<double>()).conjugate() * Quatd(b.cast<double>());
    return static_cast<float>(2.0 * std::atan2(difference.vec().norm(), std::abs(difference.w())));
}

}  // namespace sinew
