// Turns the faces of each piece of a mesh alike. Data flow: Mesh triangles → *here* → solid.h, weights.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct OrientedFaces {
    std::vector<uint8_t> flip;  // per triangle: 1 where its corners must be read the other way round
    bool open_edges = false;  // some edge, equal positions taken for one vertex, belongs to an odd number of triangles
};

struct OrientOptions {
    bool closed_too = true;  // false: a mesh without open edges stays as it is, for who asks only where it is open
};

// Neighbours across an edge that exactly two triangles share are made to agree, piece by piece (a Möbius strip keeps
// one disagreement). A piece then looks outward if it encloses a clear volume, and else the way most of its area did
// before. Equal positions are taken for one vertex. O(n log n).
OrientedFaces orient_faces(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                           const OrientOptions& options = {});

}  // namespace sinew
