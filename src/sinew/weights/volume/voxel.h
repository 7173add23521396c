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
    WeightField field;  // empty if there is no volume, because no triangle was usable
    size_t cells = 0;
    size_t bridges = 0;  // laid between parts that do not touch
    int iterations = 0;  // of the worst solve
    double leak = 0.0;   // of the solid (mesh/solid.h)
};

// The surface need only enclose something, more or less: holes, overlaps, seams and the directions of faces hardly
// matter. Bones act through the body only, so a hand beside a thigh does not feel it.
VoxelResult voxel_weights(const Surface& surface, std::span<const Bone> bones, const VoxelOptions& options = {});

}  // namespace sinew
