// Standing: a shape stood up as a reading says, and ways to change it there.
// Data flow: voxel_body.h, reading.h → *here* → attempt.h, which fits it.
#pragma once

#include <sinew/rig/body/voxel_body.h>
#include <sinew/rig/stand/reading.h>
#include <optional>

namespace sinew {

// A mesh and its body: the mesh as it is, without what it carries, or reposed.
struct Shape {
    std::span<const Vec3> positions;
    std::span<const uint32_t> triangles;
    VoxelBody body;
    Extremities ends;
};
Shape make_shape(std::span<const Vec3> positions, std::span<const uint32_t> triangles);

// Points of the surface: the vertices in use that belong to the body, not to specks.
std::vector<Vec3d> take_outline(const Shape& shape);

// The body in the space of the reading `frame`: +Y up, mirrored at x = 0, its lowest voxels at y = 0.
struct Standing {
    VoxelBody body;
    Extremities ends;
    Reading frame;
};
// Stands a shape up and cuts legs that touch apart.
Standing stand(const Shape& shape, const Reading& frame);
// Puts the lowest voxels at y = 0 and moves the frame with them.
void settle(Standing& standing);
// The same body facing the other way.
Standing turned_around(const Standing& standing, const Reading& reading);
// The body without what has no counterpart on the other side: weapons, shields, bags. Of several parts the largest
// stays; none when that is less than half of the body.
std::optional<Standing> without_one_sided(const Standing& standing);

}  // namespace sinew
