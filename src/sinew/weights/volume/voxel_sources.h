// Voxel heat's sources: which bones warm a cell of the volume, and how strongly.
// Data flow: Volume, nearest_bones → *here* → voxel.cpp.
#pragma once

#include <sinew/weights/volume/volume_bones.h>

namespace sinew {

struct VoxelSourceOptions {
    double strength = 3.0;          // of the bones against the diffusion: heat taken up is strength / distance²
    double least_distance = 0.003;  // distances below this count as this; in the Surface's size
    double facing = 0.6;            // how much dearer a bone is that lies on the skin's far side; 0: not at all
};

// What a cell takes up (over its volume), and the shares of the bones it takes it from, which sum to 1. Where two bones
// are equally near, the share follows from how the surface between their realms cuts the cell, so that no cell jumps.
struct VoxelSource {
    double uptake = 0.0;
    std::array<double, NearBones::most> shares{};  // of NearBones::bones
};
std::vector<VoxelSource> voxel_sources(const Volume& volume, std::span<const NearBones> near,
                                       const VoxelSourceOptions& options);

}  // namespace sinew
