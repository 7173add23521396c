// What the principles share: rotations over time as numbers, smoothed, and their speed; windows; heights.
// Data flow: ClipFrames → *here* → principles.cpp.
#pragma once

#include <sinew/edit/frames.h>
#include <sinew/math/types.h>
#include <vector>

namespace sinew {

// A joint's local rotation in each frame, unit, each the nearer one of q and −q.
std::vector<Quatd> rotations_of(const ClipFrames& frames, size_t joint);

// Angular velocity in the joint's own axes, radians per second, by central differences.
std::vector<Vec3d> angular_velocities(const std::vector<Quatd>& rotations, double fps);

// Convolved with a Gaussian of this standard deviation, in seconds; at the ends the first and last value go on. O(n ·
// width).
std::vector<Vec3d> smoothed(const std::vector<Vec3d>& values, double deviation, double fps);
std::vector<double> smoothed(const std::vector<double>& values, double deviation, double fps);

// Derivatives by central differences, one-sided at the ends.
std::vector<Vec3d> derivative(const std::vector<Vec3d>& values, double fps);

// 0 at both ends of the clip, 1 farther than `ramp` seconds from them, smooth between.
double window(double time, double length, double ramp);

// Shifts the carrier up or down in each frame, so that the lowest of the joints that it carries stands as high as it
// did in `before`.
void keep_height(const ClipFrames& before, const ClipBody& body, int32_t carrier, ClipFrames& after);

// Marks a joint and all below it.
std::vector<char> joints_below(const Skeleton& skeleton, int32_t top);

// Marks the joints of the legs and all below them; for a body without legs, none.
std::vector<char> leg_joints(const Skeleton& skeleton);

}  // namespace sinew
