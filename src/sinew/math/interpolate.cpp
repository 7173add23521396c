#include <sinew/math/interpolate.h>

#include <algorithm>
#include <cmath>

namespace sinew {

Quatd slerp(const Quatd& a, const Quatd& b, double u) {
    const Eigen::Vector4d from = a.coeffs().normalized();
    Eigen::Vector4d to = b.coeffs().normalized();
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
