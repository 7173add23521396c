// Standing: a shape stood up as a reading sees it, and what can be done with it there.
// Data flow: voxel_body.h, reading.h → *here* → attempt.h fits it.
#pragma once

#include <sinew/rig/body/voxel_body.h>
#include <sinew/rig/stand/reading.h>
#include <optional>

namespace sinew {

// A mesh as it is, or without what it carries, or reposed.
struct Shape {
    std::span<const Vec3> positions;
    std::span<const uint32_t> triangles;
    VoxelBody body;
    Extremities ends;
};
Shape make_shape(std::span<const Vec3> positions, std::span<const uint32_t> triangles);

// Points of the surface that belong to the body: the vertices in use, without specks.
std::vector<Vec3d> take_outline(const Shape& shape);

// The body in the space of the reading `frame`: +Y up, mirrored at x = 0, its lowest voxels at y = 0.
struct Standing {
    VoxelBody body;
    Extremities ends;
    Reading frame;
};
// Legs that touch are taken apart.
Standing stand(const Shape& shape, const Reading& frame);
// Puts the lowest voxels at y = 0 and moves the frame with them.
void settle(Standing& standing);
// The same body facing the other way.
Standing turned_around(const Standing& standing, const Reading& reading);
// Without what has no counterpart on the other side: weapons, shields, bags. Of several pieces the largest is left;
// nothing, when that is less than half.
std::optional<Standing> without_one_sided(const Standing& standing);

}  // namespace sinew
