// Voxel heat's sources: which bones warm a cell of the volume, and how strongly.
// Data flow: Volume, nearest_bones → *here* → voxel.cpp.
#pragma once

#include <sinew/weights/volume/volume_bones.h>

namespace sinew {

struct VoxelSourceOptions {
    // All three were found on the 16 rigged glTFs of tests/weights/models.h.
    double strength = 3.0;          // of the bones against the diffusion: heat taken up is strength / distance²
    double least_distance = 0.003;  // distances below this count as this; in the Surface's size
    double facing = 0.6;            // how much dearer a bone is that lies towards the skin; 0: not at all
};

// How much heat a cell takes up, and from which bones. Where two bones are about equally near, the border between their
// realms cuts through the cell, and each gets the share of the cell on its side, so that nothing jumps.
struct VoxelSource {
    double uptake = 0.0;
    std::array<double, NearBones::most> shares{};  // of NearBones::bones; they sum to 1
};
std::vector<VoxelSource> voxel_sources(const Volume& volume, std::span<const NearBones> near,
                                       const VoxelSourceOptions& options);

}  // namespace sinew
