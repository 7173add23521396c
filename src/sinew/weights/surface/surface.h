// Surface: all meshes of a character as one, ready for solving: welded, oriented, in units of its own size.
// Data flow: meshes → *here* → choose_bones.h, the methods (heat.h, distance.h, …) → copied back by `vertex_of`.
#pragma once

#include <sinew/weights/weights.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Vertices within 1e-6 of the size of each other are one vertex. So are vertices on the open edges of different pieces
// across a crack: a gap under a quarter of the shortest edge beside it. No triangle repeats a corner, and no two
// triangles have the same corners. Each piece is wound so that its normals point outwards. A vertex without triangles
// belongs to no piece (−1).
//
// Positions are (p − center) / size. The size is four times the mean distance of the surface from its middle. That is
// about the diagonal of a figure, does not depend on orientation, and holes and stray vertices hardly change it.
struct Surface {
    std::vector<Vec3d> positions;
    std::vector<Vec3d> normals;  // the mean of the unit normals of the faces around; zero without faces
    std::vector<uint32_t> triangles;
    std::vector<int32_t> piece;
    std::vector<uint8_t> open;  // 1: on an edge that has only one face
    size_t piece_count = 0;
    std::vector<uint32_t> vertex_of;  // per input vertex, mesh after mesh: its vertex here
    std::vector<size_t> mesh_begin;   // where each mesh begins in vertex_of; one more at the end
    Vec3d center = Vec3d::Zero();
    double size = 1.0;
    size_t broken_positions = 0;  // positions that were not finite
    size_t mended = 0;            // vertices joined across cracks

    size_t vertex_count() const { return positions.size(); }
    size_t triangle_count() const { return triangles.size() / 3; }
    Vec3d to_surface(const Vec3d& p) const { return (p - center) / size; }
    Vec3d from_surface(const Vec3d& p) const { return p * size + center; }
};

// O(n log n) at worst.
Surface make_surface(std::span<const WeightMesh> meshes);

// The other ends of each vertex's edges, sorted: those of v are [first[v], first[v + 1]).
struct Neighbours {
    std::vector<uint32_t> first;
    std::vector<uint32_t> all;
    std::span<const uint32_t> of(size_t v) const { return std::span(all).subspan(first[v], first[v + 1] - first[v]); }
};
Neighbours neighbours(const Surface& surface);

}  // namespace sinew
