// Questions about how a mesh hangs together once equal positions are taken for one vertex.
// glTF splits vertices at UV and normal seams; none of these questions should see those.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// representative[v] = the lowest index of all vertices at exactly the same position (−0 equals 0). O(n log n).
// Positions are finite.
std::vector<uint32_t> weld_exact(std::span<const Vec3> positions);

struct Topology {
    size_t pieces = 0;        // connected components that have at least one triangle
    bool watertight = false;  // some triangles, and every edge is shared by exactly two, in opposite directions
};
Topology topology(std::span<const Vec3> positions, std::span<const uint32_t> triangles);

}  // namespace sinew
