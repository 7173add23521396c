// Delta mush [Mancewicz2014]: smooths a deformed surface and puts back the detail that smoothing takes from it at rest.
// Data flow: rest mesh → *here*, once per binding; then over the result of any deformer (deform.h).
#pragma once

#include <sinew/skin/deform.h>
#include <sinew/skin/deformers/point_mesh.h>

namespace sinew {

struct DeltaMush {
    int iterations = 0;
    PointMesh mesh;
    std::vector<float> slopes;  // per neighbour in the mesh: how it pulls at the tangent of the point's frame
    std::vector<Vec3> deltas;   // per point, in its frame; those of the rest mesh
};

// Iterations ≥ 0. O(vertices · (iterations + log vertices)).
DeltaMush make_delta_mush(const Influences& influences, std::span<const Vec3> positions,
                          std::span<const uint32_t> triangles, int iterations);

// The detail of another rest shape of the same mesh: a morphed one. Per point.
std::vector<Vec3> find_deltas(const DeltaMush& mush, std::span<const Vec3> positions);

struct MushOptions {
    std::span<const Vec3> deltas = {};  // empty: those of the mush itself
    bool mirrored = false;              // the pose shows the character in a mirror
};

// Normals and tangents turn by what the smoothing turns the surface. A point that has no surface around it, or whose
// surface is crushed to nothing, stays where the deformer put it. In and out may be the same memory.
void apply_delta_mush(const DeltaMush& mush, const MushOptions& options, const DeformBuffers& buffers);

}  // namespace sinew
