// Interpolation: of rotations, and the smooth step. Data flow: clip/clip.h, motion, sample and render use it.
#pragma once

#include <sinew/math/types.h>
#include <algorithm>

namespace sinew {

// The shorter great arc from a to b at constant speed; u in [0, 1]. The result is unit; inputs within 5e-3 of
// unit are taken as they stand, as glTF's formula does, others are normalised first.
Quatd slerp(const Quatd& a, const Quatd& b, double u);
inline Quat slerp(const Quat& a, const Quat& b, double u) {
    return slerp(Quatd(a.cast<double>()), Quatd(b.cast<double>()), u).cast<float>();
}

// The angle in radians, 0..pi, of the rotation that takes a to b.
float angle_between(const Quat& a, const Quat& b);

// 0 up to u = 0, 1 from u = 1, and in between the cubic that is level at both ends.
template <class Scalar>
constexpr Scalar smoothstep(Scalar u) {
    u = std::clamp(u, Scalar(0), Scalar(1));
    return u * u * (3 - 2 * u);
}

}  // namespace sinew
