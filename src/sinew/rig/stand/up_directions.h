// The sides that a body could rest on, as directions that could be up.
// Data flow: mirror_plane.h → *here* → reading.h.
#pragma once

#include <sinew/rig/body/mirror_plane.h>

namespace sinew {

// A direction within 0.8 degrees of an axis (largest component) is that axis.
constexpr double along_axis = 0.9999;

// A direction in the mirror plane, and how safely the body stands when it is up: 1 with its centre well over the ground
// that it covers, 0 when it would fall over.
struct RestingUp {
    Vec3d up = Vec3d::UnitY();
    double stable = 0.0;
};

// The mesh's own axes where they lie in the plane, the sides of the outline's convex hull on which the body would
// stand, and the outline's long axis. `outline` are points of the surface: the more, the more exact.
std::vector<RestingUp> find_resting_ups(const VoxelBody& body, std::span<const Vec3d> outline,
                                        const MirrorPlane& plane);

}  // namespace sinew
