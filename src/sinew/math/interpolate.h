// Interpolation of rotations. Data flow: clip/sample.h and blending use it.
#pragma once

#include <sinew/math/types.h>

namespace sinew {

// The shorter great arc from a to b at constant speed; inputs need not be unit, the result is. u in [0, 1].
Quatd slerp(const Quatd& a, const Quatd& b, double u);
inline Quat slerp(const Quat& a, const Quat& b, double u) {
    return slerp(Quatd(a.cast<double>()), Quatd(b.cast<double>()), u).cast<float>();
}

// The angle in radians, 0..pi, of the rotation that takes a to b.
float angle_between(const Quat& a, const Quat& b);

}  // namespace sinew
