// Distances along a surface from one vertex, exact on flat meshes: for tethers, and for parting cloth into patches.
// Data flow: a mesh at rest → *here* → cloth.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// For many sources on one mesh: keeps which triangles are at which vertex.
class SurfaceDistance {
public:
    SurfaceDistance(std::span<const Vec3> positions, std::span<const uint32_t> triangles);

    // Fast marching: vertices in order of distance; each triangle is unfolded as if the source were in its plane.
    // INFINITY for what hangs on none of the sources.
    void from(std::span<const uint32_t> sources, std::vector<float>& distance) const;

private:
    std::span<const Vec3> positions_;
    std::span<const uint32_t> triangles_;
    std::vector<uint32_t> first_, at_;  // triangles by vertex
};

}  // namespace sinew
