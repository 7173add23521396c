// DualQuat: a rigid motion as real + ε·dual, the form in which rigid motions blend without losing volume [Kavan2008].
// Data flow: skin/deformers/joint_motion.h makes them from matrices → skin/deformers/dual_quaternion.cpp blends them;
// also for the GPU.
#pragma once

#include <sinew/math/types.h>

namespace sinew {

// Rotation by `real`, then translation by t: dual = ½ (0, t) · real. A unit one has |real| = 1 and real · dual = 0.
// q and −q are the same motion: bring them to one side (real · real ≥ 0) before adding them up.
struct DualQuat {
    Quat real = Quat::Identity();
    Quat dual = Quat(0.0f, 0.0f, 0.0f, 0.0f);
};

// The dual part that a translation adds behind a rotation.
inline Quat translation_dual(const Vec3& translation, const Quat& rotation) {
    return Quat(0.5f * (Quat(0.0f, translation.x(), translation.y(), translation.z()) * rotation).coeffs());
}

inline DualQuat to_dual_quat(const Quat& rotation, const Vec3& translation) {
    return {rotation, translation_dual(translation, rotation)};
}

// For any multiple of a unit dual quaternion, and for a blend of several: dividing by |real|² normalises on the way.
inline Vec3 translation_of(const DualQuat& q) {
    return 2.0f / q.real.squaredNorm() * (q.dual * q.real.conjugate()).vec();
}

// Takes |real| ≠ 0.
inline Vec3 transform_point(const DualQuat& q, const Vec3& point) {
    return q.real.normalized() * point + translation_of(q);
}

// First b, then a.
inline DualQuat operator*(const DualQuat& a, const DualQuat& b) {
    return {a.real * b.real, Quat((a.real * b.dual).coeffs() + (a.dual * b.real).coeffs())};
}

}  // namespace sinew
