// Plinth: the flat base that a figurine stands on. Data flow: Mesh, VoxelBody → *here* → fit_skeleton.h, which fits the
// body without it.
#pragma once

#include <sinew/rig/body/voxel_body.h>
#include <sinew/rig/stand/reading.h>
#include <optional>

namespace sinew {

struct Plinth {
    Vec3d up = Vec3d::UnitY();       // what stands on it stands so
    double top = 0.0;                // its height along `up`, mesh space
    std::vector<uint32_t> body;      // the triangles without it
    std::vector<uint32_t> vertices;  // its own, increasing
    bool fused = false;              // it is one piece with what stands on it
};

// Looks for a flat, full plate below something that is much narrower where it meets the plate, and higher than the
// plate is wide. Only along axes of the mesh: those that options.up or options.told_up allow, else all. `body` is made
// of all triangles.
std::optional<Plinth> find_plinth(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                                  const VoxelBody& body, const ReadingOptions& options);

}  // namespace sinew
