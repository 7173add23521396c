// Rotation vectors: the axis of a rotation, as long as its angle. They can be averaged and smoothed where rotations are
// small. Data flow: used by plant/ and touch/.
#pragma once

#include <sinew/math/types.h>
#include <cmath>

namespace sinew {

// The shorter of the two turns that `q` stands for.
inline Vec3d rotation_vector(const Quatd& q) {
    const Quatd near = q.w() < 0.0 ? Quatd(-q.coeffs()) : q;
    const double sine = near.vec().norm();
    if (sine < 1e-12) return 2.0 * near.vec();
    return 2.0 * std::atan2(sine, near.w()) / sine * near.vec();
}

inline Quatd from_rotation_vector(const Vec3d& v) {
    const double angle = v.norm();
    return angle > 0.0 ? Quatd(Eigen::AngleAxisd(angle, v / angle)) : Quatd(Quatd::Identity());
}

}  // namespace sinew
