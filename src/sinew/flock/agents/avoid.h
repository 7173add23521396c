// Avoiding: the velocity nearest to the wanted one that meets nobody for a while: ORCA [vandenBerg2011].
// Data flow: neighbours and obstacles → half-planes of velocities → *here*, a linear program → a velocity.
#pragma once

#include <sinew/math/types.h>
#include <span>

namespace sinew {

// Velocities v with normal · (v − point) ≥ 0 are allowed. `normal` has length 1.
struct HalfPlane {
    Vec2 point = Vec2::Zero();
    Vec2 normal = Vec2::UnitX();
};

struct MovingDisc {
    Vec2 position = Vec2::Zero(), velocity = Vec2::Zero();
    float radius = 0.3f;
};

// The velocities with which `self` does not meet `other` within `horizon` seconds if each does its half. Where they
// overlap, those that part them within `step` seconds.
HalfPlane avoid_each_other(const MovingDisc& self, const MovingDisc& other, float horizon, float step);

// The velocity of length ≤ fastest nearest to `wanted` in all half-planes. Where there is none: the first `hard` ones
// are kept, and of the others the worst is broken as little as can be. O(planes) on average, as they come in an order
// that has nothing to do with them. `scratch` has room for as many planes.
Vec2 choose_velocity(std::span<const HalfPlane> planes, size_t hard, const Vec2& wanted, float fastest,
                     std::span<HalfPlane> scratch);

}  // namespace sinew
