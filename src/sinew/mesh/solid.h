// Solid: which voxels a triangle mesh fills, whatever state the mesh is in.
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
    int resolution = 128;                 // voxels along the longest side of the mesh's bounds; taken into [4, 1024]
    size_t max_voxels = size_t{1} << 26;  // the cell grows until the grid has no more than this, and also where faces
                                          // are so many and so large that they would touch 2^22
};

// fill[grid.index(v)] for every voxel. The grid has two outside layers around the mesh.
//
// * Every voxel that a triangle touches is `surface`, so that thin parts never vanish.
// * What cannot be reached from the border of the grid without crossing a surface voxel is `inside`. That is all there
// is
//   to say for closed surfaces, whatever the direction of their faces, however many pieces overlap; cavities that are
//   closed off count as inside, and gaps narrower than about a voxel are closed.
// * Where the mesh has open edges, places that can be reached are asked further: signed crossings of rays along the
//   three axes, both ways, after the faces of each piece have been turned alike; and where those six do not agree, the
//   generalised winding number [Barill2018] (inside: above one half). Except that a place which is open over a twelfth
//   of its boundary, such as that under a skirt, is outside, unless it is most of the body.
//
// `leak` is the share of the inside voxels that were found in this last way: 0 when the surface holds water at this
// resolution. Where it is not small, "outside" is an opinion: do not hang a hard decision on it.
struct Solid {
    VoxelGrid grid;
    std::vector<Fill> fill;
    double leak = 0.0;
    bool open_edges = false;  // some edge, equal positions taken for one vertex, belongs to an odd number of triangles

    bool empty() const { return fill.empty(); }
    bool filled(size_t index) const { return fill[index] != Fill::outside; }
};

// Triangles are index triples into positions; triangles with repeated corners count as their edge, and those with a
// corner that is not finite are left out. A mesh without a usable triangle gives an empty solid (grid of 0 voxels).
// Deterministic for any number of threads. Cost: about a millisecond per 100,000 voxels and 10,000 triangles; open
// meshes up to ten times that.
Solid make_solid(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                 const SolidOptions& options = {});

// What solids of one mesh at several resolutions have in common: the triangles that can be used, and which of them are
// to be turned.
struct SolidFaces {
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    std::vector<uint8_t> flip;  // per triangle
    bool open_edges = false;
    Box box;
};
SolidFaces find_solid_faces(std::span<const Vec3> positions, std::span<const uint32_t> triangles);
Solid fill_solid(const SolidFaces& faces, const SolidOptions& options = {});

// 1 for each filled voxel, 0 elsewhere: the mask that distance_transform.h and geodesic.h take.
std::vector<uint8_t> solid_mask(const Solid& solid);

}  // namespace sinew
