// The mirror plane of a body. Data flow: voxel_body.h → *here* → reading.h.
#pragma once

#include <sinew/rig/body/voxel_body.h>

namespace sinew {

struct MirrorPlane {
    Vec3d normal = Vec3d::UnitX();  // unit
    double offset = 0.0;            // normal · x = offset on the plane
    double overlap = 0.0;  // share of the body that its mirror image covers; thin limbs count as much as thick ones

    Vec3d mirror(const Vec3d& p) const { return p - 2.0 * (normal.dot(p) - offset) * normal; }
    double side(const Vec3d& p) const { return normal.dot(p) - offset; }
};

// Candidates, best first, at least one: planes across the mesh's three axes and, unless one of those fits well, planes
// of any direction. Planes that cover less than the best by more than `slack` are left out.
constexpr double mirror_slack = 0.12;  // chosen: a body with a shield still has its own plane among them
std::vector<MirrorPlane> find_mirror_planes(const VoxelBody& body, double slack = mirror_slack);

}  // namespace sinew
