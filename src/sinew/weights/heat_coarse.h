// Heat on large meshes: solve on a coarser surface, then let the fine one settle.
// Data flow: Surface → *here* → a Surface of fewer vertices → heat.cpp solves it → *here* → WeightField of all
// vertices.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/heat_matrix.h>

namespace sinew {

// Every vertex of `coarse` is one of the fine surface; cluster_of[v] is the one that vertex v is nearest to along
// edges.
struct CoarseSurface {
    Surface coarse;
    std::vector<uint32_t> cluster_of;
};

// Clusters of about equally many vertices, so that details that were modelled densely stay dense; triangles where three
// clusters meet. O(vertices).
CoarseSurface coarsen(const Surface& surface, size_t target_vertices);

// Gives every vertex the weights of its cluster, then relaxes (L + A·H) w = A·H·p by damped Jacobi steps until the
// clusters' borders are gone. Rows stay non-negative and sum to 1.
WeightField settle(const CoarseSurface& levels, const WeightField& coarse_field, const HeatMatrix& fine,
                   std::span<const HeatSource> sources, std::span<const Bone> bones);

}  // namespace sinew
