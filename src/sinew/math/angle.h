// Angles between directions. Data flow: two directions → *here* → mesh, skeleton, ik, motion.
#pragma once

#include <sinew/math/types.h>
#include <cmath>

namespace sinew {

// 0 to π, exact for nearly equal and nearly opposite directions too. Neither has to be unit; 0 where either is zero.
inline double angle_between(const Vec3d& a, const Vec3d& b) {
    return std::atan2(a.cross(b).norm(), a.dot(b));
}

// The signed angle about the unit `axis` from a to b, of their parts across it: −π to π.
inline double angle_about(const Vec3d& axis, const Vec3d& a, const Vec3d& b) {
    const Vec3d u = a - axis * axis.dot(a), v = b - axis * axis.dot(b);
    return std::atan2(axis.dot(u.cross(v)), u.dot(v));
}

}  // namespace sinew
