// Bone heat: each bone warms the skin nearest to it, the heat spreads along the surface, and the temperatures are the
// weights [Baran2007]. Data flow: Surface, bones → heat_sources.h, heat_matrix.h → *here* → WeightField.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/heat/heat_sources.h>

namespace sinew {

struct HeatResult {
    WeightField field;
    // False: neither factorising nor iterating worked, and `field` holds the sources: the bones that warm each vertex.
    bool solved = true;
};

// Solves (L + A·H) w = A·H·p for all joints with one factorisation: L is the surface's Laplacian, A the area around
// each vertex, H the heat it takes up, and p is 1 where the joint's bones warm the vertex. Every vertex takes up some
// heat, and every triangle's share of L is positive semidefinite, so the matrix is never singular, whatever the mesh.
// Vertices without triangles get the bones that warm them. Rows sum to 1, to rounding.
HeatResult heat_weights(const Surface& surface, std::span<const Bone> bones, const HeatOptions& options = {});

}  // namespace sinew
