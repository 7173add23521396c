// Naive surface nets [Gibson1998] over the half x ≥ 0 of a mirror-symmetric field.
// Data flow: implicit_field.h → *here* (a fine, plain mesh) → remesh.h.
#pragma once

#include <sinew/sample/implicit_field.h>
#include <cstdint>
#include <vector>

namespace sinew::shape {

// Counter-clockwise from outside. `on_plane` vertices lie exactly at x = 0 and bound the half.
struct HalfMesh {
    std::vector<Vec3d> positions;
    std::vector<uint32_t> triangles;
    std::vector<bool> on_plane;
};

// The surface inside the box, sampled with cubes of the given size. Blocks that cannot contain surface are skipped, so
// the cost grows with the area, not with the volume.
HalfMesh surface_nets(const Field& field, const Box& box, double cell);

}  // namespace sinew::shape
