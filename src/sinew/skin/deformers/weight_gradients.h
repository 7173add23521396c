// Weight gradients: how fast each weight changes along the surface at rest [Tarini2014].
// Data flow: rest mesh and Influences → *here*, once per binding → deform_linear_blend, for exact surface normals.
#pragma once

#include <sinew/skin/deformers/point_mesh.h>

namespace sinew {

struct WeightGradient {
    uint32_t joint = 0;
    Vec3 gradient = Vec3::Zero();  // along the surface, per unit of length in bind space
};

struct WeightGradients {
    std::vector<uint32_t> point_of;  // per vertex
    std::vector<uint32_t> first;     // per point
    std::vector<WeightGradient> all;

    // Also of joints that the vertex itself does not follow but its neighbours do. They sum up to zero.
    std::span<const WeightGradient> of(size_t vertex) const {
        const uint32_t i = point_of[vertex];
        return std::span(all).subspan(first[i], first[i + 1] - first[i]);
    }
};

// At a vertex, the mean over its triangles by their angles there, as for normals. O(n log n).
WeightGradients find_weight_gradients(const Influences& influences, std::span<const Vec3> positions,
                                      std::span<const uint32_t> triangles);

}  // namespace sinew
