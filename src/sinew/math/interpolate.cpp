#include <sinew/math/interpolate.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

// Files write unit quaternions with as few as three digits. glTF's formula takes those as they stand, and so do other
// programs; only what is no unit quaternion by any reading is made one first.
Eigen::Vector4d nearly_unit(const Quatd& q) {
    constexpr double least = 0.995, most = 1.005;  // of the length
    const double squared = q.coeffs().squaredNorm();
    const bool is_near = squared > least * least && squared < most * most;
    return is_near ? Eigen::Vector4d(q.coeffs()) : Eigen::Vector4d(q.coeffs() / std::sqrt(squared));
}

struct Blend {
    double from = 0.0, to = 0.0;
};

// sin(u θ) / sin(θ) for u and 1 − u as a power series in x − 1, x = cos θ [Eberly2011]. A term is (1 − x) / 2 of the
// one before, or less: `terms` are enough when that to their power is less than the rounding of a double.
template <int terms>
Blend series_blend(double cosine, double u) {
    const double x = cosine - 1.0, v = 1.0 - u;
    Eigen::Array2d sum(1.0, 1.0);
    const Eigen::Array2d squares(v * v * x, u * u * x);
#pragma GCC unroll 16
    for (int i = terms; i >= 1; --i) {
        const double square = 1.0 / (i * (2 * i + 1)), constant = static_cast<double>(i) / (2 * i + 1);
        sum = 1.0 + (squares * square - x * constant) * sum;
    }
    return {v * sum[0], u * sum[1]};
}

Blend blend_for(double cosine, double u) {
    if (cosine > 1.0 - 1e-9) return {1.0 - u, u};
    if (cosine > 0.998) return series_blend<5>(cosine, u);  // a turn of 7°
    if (cosine > 0.9) return series_blend<12>(cosine, u);   // 52°
    const double angle = std::acos(cosine), sine = std::sin(angle);
    return {std::sin((1.0 - u) * angle) / sine, std::sin(u * angle) / sine};
}

}  // namespace

Quatd slerp(const Quatd& a, const Quatd& b, double u) {
    const Eigen::Vector4d from = nearly_unit(a), to = nearly_unit(b);
    const double cosine = from.dot(to);
    const Blend blend = blend_for(std::abs(cosine), u);
    Quatd result;
    result.coeffs() = blend.from * from + (cosine < 0.0 ? -blend.to : blend.to) * to;
    // Of unit quaternions the result is unit but for rounding, which a few terms of 1 / √(1 + e) take off.
    const double e = result.squaredNorm() - 1.0;
    result.coeffs() *= std::abs(e) < 1e-5 ? 1.0 - e * (0.5 - 0.375 * e) : 1.0 / std::sqrt(1.0 + e);
    return result;
}

float angle_between(const Quat& a, const Quat& b) {
    const Quatd difference = Quatd(a.cast<double>()).conjugate() * Quatd(b.cast<double>());
    return static_cast<float>(2.0 * std::atan2(difference.vec().norm(), std::abs(difference.w())));
}

}  // namespace sinew
