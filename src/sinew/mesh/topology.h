// Topology: how a mesh is connected once vertices at equal positions count as one. (glTF splits vertices at UV and
// normal seams, which must not matter here.) Data flow: positions, triangles → *here* → orient.h, weights, pipeline
// (info).
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// representative[v] is the lowest index of the vertices at exactly the same position (−0 equals 0). Requires finite
// positions. O(n log n).
std::vector<uint32_t> weld_exact(std::span<const Vec3> positions);

struct Topology {
    size_t pieces = 0;        // connected components that have at least one triangle
    bool watertight = false;  // some triangles, and every edge is shared by exactly two, in opposite directions
};
Topology topology(std::span<const Vec3> positions, std::span<const uint32_t> triangles);

}  // namespace sinew
