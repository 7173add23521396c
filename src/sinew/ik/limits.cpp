// Joint limits: a turn is taken apart into angles, each angle is brought into its range, and the turn is put together
// again. Hinges keep the angle about their axis; cones part swing and twist [Dobrowolski2015]; Euler ranges take
// z–y–x angles.
#include <sinew/ik/ik.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// Limits are kept this far inside, so that a rotation rounded to float is still within them. A float quaternion is off
// by some 1e-7 radians.
constexpr double rounding_room = 4e-7;
// Near y = ±π/2 the Euler angles x and z turn about one axis, and rounding could send one far up and the other far
// down.
constexpr double largest_y = 0.5 * std::numbers::pi - 0.02;

double clamp_angle(double angle, double min, double max) {
    const double room = std::min(rounding_room, 0.5 * (max - min));
    if (!(room >= 0.0)) return 0.5 * (min + max);
    // Of the two ends the nearer one, around the circle.
    if (angle >= min + room && angle <= max - room) return angle;
    const auto away = [&](double end) { return std::abs(std::remainder(angle - end, 2.0 * std::numbers::pi)); };
    return away(min) < away(max) ? min + room : max - room;
}
double excess(double angle, double min, double max) {
    return std::max({0.0, min - angle, angle - max});
}

Vec3d unit(const Vec3d& axis) {
    return axis.norm() > 0.0 ? Vec3d(axis.normalized()) : Vec3d(Vec3d::UnitX());
}
Quatd about(const Vec3d& unit_axis, double angle) {
    const double s = std::sin(0.5 * angle);
    return {std::cos(0.5 * angle), s * unit_axis.x(), s * unit_axis.y(), s * unit_axis.z()};
}

// The angle about a unit axis of the twist in turn = swing * twist, −π … π; 0 where half a turn across hides it.
double twist_angle(const Quatd& turn, const Vec3d& axis) {
    const double along = turn.vec().dot(axis);
    if (along == 0.0 && turn.w() == 0.0) return 0.0;
    return std::remainder(2.0 * std::atan2(along, turn.w()), 2.0 * std::numbers::pi);
}

struct SwingTwist {
    Quatd swing;
    double swing_angle, twist;
};
SwingTwist split(const Quatd& turn, const Vec3d& axis) {
    SwingTwist result;
    result.twist = twist_angle(turn, axis);
    result.swing = turn * about(axis, -result.twist);
    if (result.swing.w() < 0.0) result.swing.coeffs() *= -1.0;
    result.swing_angle = 2.0 * std::atan2(result.swing.vec().norm(), result.swing.w());
    return result;
}

// turn = Rz · Ry · Rx. Where y is at ±π/2, x and z turn about one axis: all of it is given to z.
Vec3d euler_angles(const Quatd& turn) {
    constexpr double locked = 1.0 - 1e-12;  // sine of y
    const Mat3d m = turn.toRotationMatrix();
    const double sine = std::clamp(-m(2, 0), -1.0, 1.0);
    if (std::abs(sine) > locked)
        return {0.0, std::copysign(0.5 * std::numbers::pi, sine), std::atan2(-m(0, 1), m(1, 1))};
    return {std::atan2(m(2, 1), m(2, 2)), std::atan2(sine, std::hypot(m(0, 0), m(1, 0))), std::atan2(m(1, 0), m(0, 0))};
}

Quatd clamp_turn(const HingeLimit& limit, const Quatd& turn) {
    const Vec3d axis = unit(limit.axis);
    return about(axis, clamp_angle(twist_angle(turn, axis), limit.min, limit.max));
}
Quatd clamp_turn(const SwingTwistLimit& limit, const Quatd& turn) {
    const Vec3d axis = unit(limit.axis);
    SwingTwist parts = split(turn, axis);
    const double most = std::max(0.0, limit.swing - rounding_room);
    if (parts.swing_angle > most) parts.swing = about(parts.swing.vec().normalized(), most);
    return parts.swing * about(axis, clamp_angle(parts.twist, limit.twist_min, limit.twist_max));
}
Quatd clamp_turn(const EulerLimit& limit, const Quatd& turn) {
    const Vec3d angles = euler_angles(turn);
    Vec3d within;
    for (int i = 0; i < 3; ++i) within[i] = clamp_angle(angles[i], limit.min[i], limit.max[i]);
    within.y() = std::clamp(within.y(), -largest_y, largest_y);
    return about(Vec3d::UnitZ(), within.z()) * about(Vec3d::UnitY(), within.y()) * about(Vec3d::UnitX(), within.x());
}

double turn_excess(const HingeLimit& limit, const Quatd& turn) {
    const SwingTwist parts = split(turn, unit(limit.axis));
    return std::max(parts.swing_angle, excess(parts.twist, limit.min, limit.max));
}
double turn_excess(const SwingTwistLimit& limit, const Quatd& turn) {
    const SwingTwist parts = split(turn, unit(limit.axis));
    return std::max(excess(parts.swing_angle, 0.0, limit.swing), excess(parts.twist, limit.twist_min, limit.twist_max));
}
double turn_excess(const EulerLimit& limit, const Quatd& turn) {
    const Vec3d angles = euler_angles(turn);
    double most = 0.0;
    for (int i = 0; i < 3; ++i) most = std::max(most, excess(angles[i], limit.min[i], limit.max[i]));
    return most;
}

}  // namespace

Quatd clamp_to_limit(const IkLimit& limit, const Quatd& local) {
    const Quatd turn = limit.reference.conjugate() * local;
    const Quatd within = std::visit([&](const auto& shape) { return clamp_turn(shape, turn); }, limit.shape);
    return (limit.reference * within).normalized();
}

double limit_excess(const IkLimit& limit, const Quatd& local) {
    const Quatd turn = limit.reference.conjugate() * local;
    return std::visit([&](const auto& shape) { return turn_excess(shape, turn); }, limit.shape);
}

}  // namespace sinew
