// Rotation curves: keyed rotations, and the ways to turn from one to the next. All take the shorter way round.
// Data flow: keys, euler.h → *here* → clip/edit.
#pragma once

#include <sinew/core/result.h>
#include <sinew/math/types.h>
#include <span>
#include <string>
#include <vector>

namespace sinew {

//   step         holds
//   nlerp        a line between the quaternions, made unit: cheap, a little faster in the middle
//   slerp        constant speed about one axis; a corner in speed at each key
//   squad        [Shoemake1987]: C¹, four slerps
//   exponential  [Kim1995]: C¹, a cubic Bézier curve of exponential maps; turns about one axis like the scalar curve
//                with Catmull-Rom slopes
enum class RotationShape : uint8_t { step, nlerp, slerp, squad, exponential };

struct RotationKey {
    double time = 0.0;
    Quatd rotation = Quatd::Identity();
};

// Proves: at least one key, times finite and strictly increasing, quaternions that are not zero.
Result<void> validate(std::span<const RotationKey> keys);

// Makes the keys unit, and flips signs so that each is the nearer one to the key before. q and −q are one rotation:
// without this, interpolation may go the long way round.
void take_shorter_ways(std::span<RotationKey> keys);

// The rotation at a time; holds before the first key and after the last. The keys went through take_shorter_ways().
// O(log keys).
Quatd evaluate(std::span<const RotationKey> keys, RotationShape shape, double time);

// The angular velocity that squad and exponential curves have at a key, in the key's own axes, radians per second: that
// of the parabola through its neighbours.
Vec3d angular_velocity(std::span<const RotationKey> keys, size_t key);

// The exponential map and its inverse: axis times angle in radians ⇄ unit quaternion. log of q has an angle of at most
// 2π where q.w < 0, and at most π else.
Quatd exp_map(const Vec3d& axis_angle);
Vec3d log_map(const Quatd& rotation);

}  // namespace sinew
