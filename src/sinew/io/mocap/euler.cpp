#include <sinew/io/mocap/euler.h>
#include <cmath>

namespace sinew {
namespace {

constexpr double pi_d = 3.14159265358979323846;

Vec3d nearest_turn(Vec3d angles, const Vec3d& previous) {
    for (int i = 0; i < 3; ++i) angles[i] -= 2 * pi_d * std::round((angles[i] - previous[i]) / (2 * pi_d));
    return angles;
}

}  // namespace

Quatd axis_rotation(int axis, double angle) {
    Vec3d sine = Vec3d::Zero();
    sine[axis] = std::sin(0.5 * angle);
    return Quatd(std::cos(0.5 * angle), sine.x(), sine.y(), sine.z());
}

Vec3d zyx_angles(const Quatd& q, const Vec3d& previous) {
    const Mat3d r = q.normalized().toRotationMatrix();
    const double cos_y = std::hypot(r(0, 0), r(1, 0));
    const double y = std::atan2(-r(2, 0), cos_y);
    // At gimbal lock z is free: take the previous one. x then follows from what Rz(z)ᵀ r leaves, whatever z is.
    const double z = cos_y > 1e-7 ? std::atan2(r(1, 0), r(0, 0)) : previous[0];
    const double sin_z = std::sin(z), cos_z = std::cos(z);
    const double x = std::atan2(sin_z * r(0, 2) - cos_z * r(1, 2), cos_z * r(1, 1) - sin_z * r(0, 1));

    const Vec3d one = nearest_turn({z, y, x}, previous);
    const Vec3d other = nearest_turn({z + pi_d, pi_d - y, x + pi_d}, previous);
    return (one - previous).squaredNorm() <= (other - previous).squaredNorm() ? one : other;
}

void push_rotation(std::vector<float>& values, const Quatd& rotation) {
    Eigen::Vector4d xyzw = rotation.coeffs().normalized();
    if (!values.empty()) {
        double dot = 0;
        for (size_t i = 0; i < 4; ++i) dot += xyzw[Eigen::Index(i)] * values[values.size() - 4 + i];
        if (dot < 0) xyzw = -xyzw;
    }
    for (int i = 0; i < 4; ++i) values.push_back(float(xyzw[i]));
}

}  // namespace sinew
