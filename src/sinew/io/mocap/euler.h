// Rotations about coordinate axes: what BVH and AMC write down, as quaternions and back.
// Data flow: the readers and the writer of io/mocap use it; everything else in Sinew speaks quaternions.
#pragma once

#include <sinew/math/types.h>
#include <vector>

namespace sinew {

constexpr double degree = 3.14159265358979323846 / 180.0;  // in radians

// Right-handed rotation about axis 0, 1 or 2 (x, y, z).
Quatd axis_rotation(int axis, double angle);

// Angles (z, y, x) with q = Rz(z) Ry(y) Rx(x). There are infinitely many; this is the one nearest to `previous`, so
// that a sequence has no jumps of whole turns. Exact at gimbal lock too.
Vec3d zyx_angles(const Quatd& q, const Vec3d& previous);

// Appends x, y, z, w to a track's values. q and −q are one rotation; of the two, the one on the side of the key before
// it, so that interpolation takes the short way.
void push_rotation(std::vector<float>& values, const Quatd& rotation);

}  // namespace sinew
