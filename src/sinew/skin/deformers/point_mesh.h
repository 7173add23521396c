// PointMesh: how a bound mesh hangs together once vertices that are one place and move as one are taken for one point.
// Data flow: rest mesh and Influences → *here*, once per binding → delta_mush.h, weight_gradients.h.
#pragma once

#include <sinew/skin/influences.h>

namespace sinew {

// Vertices at one place with the same influences are one point: seams of UVs and materials vanish, lips that touch at
// rest stay two.
struct PointMesh {
    std::vector<uint32_t> point_of;      // per vertex
    std::vector<uint32_t> vertex_of;     // per point: the vertex that speaks for it
    std::vector<uint32_t> triangles;     // of points, none with a corner twice
    std::vector<uint32_t> first_corner;  // corners of point i in `triangles`: corners[first_corner[i] …]
    std::vector<uint32_t> corners;
    std::vector<uint32_t> first_neighbour;  // the same for the points that share an edge with it
    std::vector<uint32_t> neighbours;

    size_t size() const { return vertex_of.size(); }
};

// O(n log n).
PointMesh make_point_mesh(const Influences& influences, std::span<const Vec3> positions,
                          std::span<const uint32_t> triangles);

}  // namespace sinew
