// Voxel heat: each bone warms what is nearest to it inside the body, the heat spreads through the body, and the
// temperatures at the skin are the weights. Data flow: Surface, bones → volume.h → *here* → WeightField.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/volume/voxel_sources.h>

namespace sinew {

struct VoxelOptions {
    VolumeOptions volume;
    VoxelSourceOptions sources;
};

struct VoxelResult {
    WeightField field;  // empty when there is no volume: no triangle was usable
    size_t cells = 0;
    size_t bridges = 0;  // laid to parts that touch nothing
    int iterations = 0;  // of the worst solve
    double leak = 0.0;   // of the solid (mesh/solid.h)
};

// Asks nothing of the surface but that it encloses something, more or less: holes, overlaps, seams and the directions
// of faces hardly matter. Bones work through the body only: a hand beside a thigh does not feel it.
VoxelResult voxel_weights(const Surface& surface, std::span<const Bone> bones, const VoxelOptions& options = {});

}  // namespace sinew
