// Delta transfer: one face's morph targets on another face of the same connectivity.
// Data flow: MorphTargets of a source mesh, both neutral shapes → *here* → MorphTargets of the other mesh.
#pragma once

#include <sinew/morph/morph.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Around each vertex the source's surface goes over into the target's by a linear map: the best fit, by area, of the
// triangles' own maps (stretch along the surface as it is, across it by the square root of the change of area)
// [Noh2001, Sumner2004]. Position deltas go through that map, so a larger or turned cheek gets larger or turned deltas;
// normal and tangent deltas only through its rotation. Equal neutral shapes give equal deltas. Vertices at one position
// in the source share their map, so seams stay closed; a vertex without area takes the map of the whole mesh.
struct DeltaTransfer {
    std::vector<MorphTarget> targets;
    size_t vertices_without_area = 0;
};
DeltaTransfer transfer_deltas(std::span<const Vec3> source, std::span<const Vec3> target,
                              std::span<const uint32_t> triangles, std::span<const MorphTarget> source_targets);

}  // namespace sinew
