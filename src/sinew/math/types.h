// Names for Eigen's small types. Column vectors, right-handed, +Y up, metres, radians.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace sinew {

using Vec2 = Eigen::Vector2f;
using Vec3 = Eigen::Vector3f;
using Vec4 = Eigen::Matrix<float, 4, 1, Eigen::DontAlign>;
using Mat3 = Eigen::Matrix3f;
using Vec3d = Eigen::Vector3d;
using Mat3d = Eigen::Matrix3d;
using Quatd = Eigen::Quaternion<double, Eigen::DontAlign>;

// Unit quaternion; coefficients are stored x, y, z, w, as in glTF, but Eigen's constructor takes (w, x, y, z).
using Quat = Eigen::Quaternion<float, Eigen::DontAlign>;

// A 3×4 matrix: what takes points of one space to another. Named for what it does: world_from_local.
// Affine is what run time moves about; AffineD is what chains of them are multiplied in, so that a long chain of
// joints loses no digits that a float could still show.
using Affine = Eigen::Transform<float, 3, Eigen::AffineCompact, Eigen::DontAlign>;
using AffineD = Eigen::Transform<double, 3, Eigen::AffineCompact, Eigen::DontAlign>;

// An axis-aligned box; empty until something is added.
struct Box {
    Vec3 min = Vec3::Constant(INFINITY);
    Vec3 max = Vec3::Constant(-INFINITY);

    bool empty() const { return !(min.x() <= max.x()); }
    // Grows the box until the point, or the other box, is inside.
    void add(const Vec3& point) {
        min = min.cwiseMin(point);
        max = max.cwiseMax(point);
    }
    void add(const Box& other) {
        min = min.cwiseMin(other.min);
        max = max.cwiseMax(other.max);
    }
    Vec3 center() const { return 0.5f * (min + max); }
    Vec3 size() const { return empty() ? Vec3(Vec3::Zero()) : Vec3(max - min); }
    float diagonal() const { return size().norm(); }
};

constexpr float pi = 3.14159265358979323846f;

// Between degrees and radians. Sinew's own angles are radians.
constexpr float radians(float angle_deg) {
    return angle_deg * (pi / 180.0f);
}
constexpr float degrees(float angle) {
    return angle * (180.0f / pi);
}

}  // namespace sinew
