// Orient: makes all faces of each piece of a mesh look the same way.
// Data flow: Mesh triangles → *here* → solid.h.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct OrientedFaces {
    std::vector<uint8_t> flip;  // per triangle: 1 if its corners must be read the other way round
    bool open_edges = false;    // some edge belongs to an odd number of triangles
};

struct OrientOptions {
    bool closed_too = true;  // false: leave a mesh without open edges as it is
};

// Vertices at equal positions count as one. Two triangles that share an edge with no third are made to agree, piece by
// piece. (A Möbius strip keeps one disagreement.) A piece that encloses a clear volume then looks outward; any other
// looks the way most of its area did before. O(n log n).
OrientedFaces orient_faces(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                           const OrientOptions& options = {});

}  // namespace sinew
