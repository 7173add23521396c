// Euler channels ⇄ rotations, in any order, without jumps.
// Data flow: channels of an editor or a file → *here* → RotationKey, and back.
#pragma once

#include <sinew/core/result.h>
#include <sinew/math/types.h>
#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

// rotation = about(axis[0], angles[0]) · about(axis[1], angles[1]) · about(axis[2], angles[2]): a vector is turned by
// the last one first, as in BVH, whose channels stand in this order. Six orders use three axes (zxy, …), six use one of
// them twice (zxz, …).
struct EulerOrder {
    std::array<int, 3> axis = {0, 1, 2};
};

// "xyz", "ZXZ", …; fails on anything that is no order.
Result<EulerOrder> parse_euler_order(std::string_view text);
// All twelve.
std::vector<EulerOrder> euler_orders();

// Radians.
Quatd from_euler(const Vec3d& angles, const EulerOrder& order);

// The angles nearest to `previous`, of all that mean this rotation. In gimbal lock, where the first and the third axis
// are one and only the sum of their angles means anything, both move by the same amount.
Vec3d to_euler(const Quatd& rotation, const EulerOrder& order, const Vec3d& previous = Vec3d::Zero());

// A whole motion: each set of angles is the nearest to the one before, so that the channels have no jumps of 360°.
std::vector<Vec3d> to_euler_channels(std::span<const Quatd> rotations, const EulerOrder& order);

// How far the middle angle is from gimbal lock, radians, 0 to π/2.
double gimbal_distance(const Quatd& rotation, const EulerOrder& order);

}  // namespace sinew
