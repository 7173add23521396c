#include <sinew/curve/rotation_curve.h>

#include <sinew/core/check.h>
#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

Vec3d turn_between(const Quatd& from, const Quatd& to) {
    return log_map(from.conjugate() * to);
}

Quatd nlerp(const Quatd& a, const Quatd& b, double u) {
    const Eigen::Vector4d mixed = (1.0 - u) * a.coeffs() + u * b.coeffs();
    return mixed.norm() > 0.0 ? Quatd(Eigen::Vector4d(mixed.normalized())) : a;
}

// Slerp that keeps its signs: squad's inner points may lie on the far side, and must not be flipped one by one.
Quatd plain_slerp(const Quatd& a, const Quatd& b, double u) {
    return a * exp_map(u * turn_between(a, b));
}

// squad(u) = slerp(slerp(a, b, u), slerp(s, t, u), 2u(1−u)). Its angular velocity at u = 0 is log(a⁻¹b) + 2 log(a⁻¹s)
// and at u = 1 log(a⁻¹b) − 2 log(b⁻¹t). So s and t follow from the velocities we want, on uneven times too.
Quatd squad(std::span<const RotationKey> keys, size_t k, double u) {
    const Quatd &a = keys[k].rotation, &b = keys[k + 1].rotation;
    const double length = keys[k + 1].time - keys[k].time;
    const Vec3d turn = turn_between(a, b);
    const Quatd s = a * exp_map(0.5 * (length * angular_velocity(keys, k) - turn));
    const Quatd t = b * exp_map(0.5 * (turn - length * angular_velocity(keys, k + 1)));
    return plain_slerp(plain_slerp(a, b, u), plain_slerp(s, t, u), 2.0 * u * (1.0 - u));
}

// [Kim1995]: q(u) = a · exp(w1 B1(u)) · exp(w2 B2(u)) · exp(w3 B3(u)) with the cumulative Bernstein polynomials B.
Quatd exponential(std::span<const RotationKey> keys, size_t k, double u) {
    const Quatd &a = keys[k].rotation, &b = keys[k + 1].rotation;
    const double length = keys[k + 1].time - keys[k].time;
    const Vec3d w1 = length / 3.0 * angular_velocity(keys, k), w3 = length / 3.0 * angular_velocity(keys, k + 1);
    const Vec3d w2 = log_map(exp_map(-w1) * (a.conjugate() * b) * exp_map(-w3));
    const double v = 1.0 - u;
    return a * exp_map((1.0 - v * v * v) * w1) * exp_map((3.0 - 2.0 * u) * u * u * w2) * exp_map(u * u * u * w3);
}

}  // namespace

Quatd exp_map(const Vec3d& axis_angle) {
    const double angle = axis_angle.norm();
    // sin(x/2)/x by its series where the quotient would lose digits.
    constexpr double small = 1e-4;
    const double scale = angle < small ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
    const Vec3d v = scale * axis_angle;
    return Quatd(std::cos(0.5 * angle), v.x(), v.y(), v.z());
}

Vec3d log_map(const Quatd& q) {
    const double sine = q.vec().norm();
    constexpr double small = 1e-12;
    if (sine < small) return 2.0 * q.vec() * (q.w() < 0.0 ? -1.0 : 1.0);
    return 2.0 * std::atan2(sine, q.w()) / sine * q.vec();
}

Result<void> validate(std::span<const RotationKey> keys) {
    if (keys.empty()) return fail(ErrorCode::invalid_data, "the rotation curve has no keys");
    for (size_t k = 0; k < keys.size(); ++k) {
        const char* problem = nullptr;
        if (!std::isfinite(keys[k].time) || !keys[k].rotation.coeffs().allFinite())
            problem = "has a time or rotation that is not a number";
        else if (keys[k].rotation.coeffs().isZero(0))
            problem = "has a quaternion of length zero";
        else if (k > 0 && !(keys[k - 1].time < keys[k].time))
            problem = "is not later than the key before it";
        if (problem)
            return fail(ErrorCode::invalid_data, fmt::format("key {} {}", k, problem), fmt::format("key {}", k));
    }
    return {};
}

void take_shorter_ways(std::span<RotationKey> keys) {
    for (size_t k = 0; k < keys.size(); ++k) {
        keys[k].rotation.normalize();
        if (k > 0 && keys[k].rotation.dot(keys[k - 1].rotation) < 0.0) keys[k].rotation.coeffs() *= -1.0;
    }
}

Vec3d angular_velocity(std::span<const RotationKey> keys, size_t key) {
    if (keys.size() < 2) return Vec3d::Zero();
    const auto chord = [&](size_t k) -> Vec3d {
        return turn_between(keys[k].rotation, keys[k + 1].rotation) / (keys[k + 1].time - keys[k].time);
    };
    if (keys.size() == 2) return chord(0);
    const size_t last = keys.size() - 1, middle = std::clamp<size_t>(key, 1, last - 1);
    const double h0 = keys[middle].time - keys[middle - 1].time, h1 = keys[middle + 1].time - keys[middle].time;
    const Vec3d inner = (h1 * chord(middle - 1) + h0 * chord(middle)) / (h0 + h1);
    if (key == 0) return 2.0 * chord(0) - inner;
    if (key == last) return 2.0 * chord(last - 1) - inner;
    return inner;
}

Quatd evaluate(std::span<const RotationKey> keys, RotationShape shape, double time) {
    SINEW_CHECK(!keys.empty());
    if (!(time > keys.front().time)) return keys.front().rotation;
    if (time >= keys.back().time) return keys.back().rotation;
    const auto after =
        std::upper_bound(keys.begin(), keys.end(), time, [](double t, const RotationKey& key) { return t < key.time; });
    const auto k = static_cast<size_t>(after - keys.begin()) - 1;
    const double u = (time - keys[k].time) / (keys[k + 1].time - keys[k].time);
    switch (shape) {
        case RotationShape::step:
            return keys[k].rotation;
        case RotationShape::nlerp:
            return nlerp(keys[k].rotation, keys[k + 1].rotation, u);
        case RotationShape::slerp:
            return slerp(keys[k].rotation, keys[k + 1].rotation, u);
        case RotationShape::squad:
            return squad(keys, k, u).normalized();
        case RotationShape::exponential:
            return exponential(keys, k, u).normalized();
    }
    return keys[k].rotation;
}

}  // namespace sinew
