// Solid: the voxels that a triangle mesh fills, whatever state the mesh is in.
// Data flow: Mesh positions and triangles → *here* → distance_transform.h, geodesic.h → rig, weights.
#pragma once

#include <sinew/mesh/voxel_grid.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

enum class Fill : uint8_t {
    outside = 0,
    surface = 1,  // touched by a triangle
    inside = 2,   // within the body, touched by none
};

struct SolidOptions {
    int resolution = 128;  // voxels along the longest side of the mesh's bounds; clamped to [4, 1024]
    // The voxels grow until there are no more than this. They also grow if the faces are so many and so large that they
    // would touch more than 2²² voxels in all.
    size_t max_voxels = size_t{1} << 26;
};

// fill[grid.index(v)] for every voxel. The grid has two outside layers around the mesh.
//
// * Every voxel that a triangle touches is `surface`, so that thin parts never vanish.
// * Every voxel that cannot be reached from the border of the grid without crossing the surface is `inside`. For closed
//   surfaces that is all, whichever way their faces look and however many pieces overlap. Closed cavities count as
//   inside, and gaps narrower than about a voxel are closed.
// * If the mesh has open edges, voxels that can be reached may be inside too. The faces of each piece are turned alike,
//   and six rays along the axes count signed crossings. Where the six do not agree, the generalised winding number
//   decides [Barill2018] (inside: above one half). But a place that is open over a twelfth of its boundary, such as the
//   space under a skirt, is outside, unless it is most of the body.
//
// `leak` is the share of the inside voxels found by this last step: 0 if the surface is watertight at this resolution.
// If it is not small, inside and outside are only guesses: do not hang a hard decision on them.
struct Solid {
    VoxelGrid grid;
    std::vector<Fill> fill;
    double leak = 0.0;
    bool open_edges = false;  // some edge belongs to an odd number of triangles (equal positions count as one vertex)

    bool empty() const { return fill.empty(); }
    bool filled(size_t index) const { return fill[index] != Fill::outside; }
};

// Triangles are index triples into positions. A triangle with repeated corners counts as its edge, and one with a
// corner that is not finite is ignored. A mesh without a usable triangle gives an empty solid (a grid of 0 voxels). The
// result is the same for any number of threads. It takes about a millisecond per 100,000 voxels and 10,000 triangles,
// and up to ten times that for open meshes.
Solid make_solid(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                 const SolidOptions& options = {});

// What the solids of one mesh at several resolutions share: the usable triangles, and which of them to flip.
struct SolidFaces {
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    std::vector<uint8_t> flip;  // per triangle
    bool open_edges = false;
    Box box;
};
SolidFaces find_solid_faces(std::span<const Vec3> positions, std::span<const uint32_t> triangles);
Solid fill_solid(const SolidFaces& faces, const SolidOptions& options = {});

// 1 for each filled voxel, 0 elsewhere: the mask for distance_transform.h and geodesic.h.
std::vector<uint8_t> solid_mask(const Solid& solid);

}  // namespace sinew
