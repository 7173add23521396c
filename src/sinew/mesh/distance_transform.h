// Exact Euclidean distances on a voxel grid [Felzenszwalb2012].
// Data flow: solid.h's mask → *here* → rig.
#pragma once

#include <sinew/mesh/voxel_grid.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// For every voxel in the mask (non-zero), the distance in voxels from its centre to the centre of the nearest voxel
// outside the mask; 0 for voxels outside the mask. Everything beyond the grid is outside. The result is the same for
// any number of threads. O(voxels).
std::vector<float> distance_to_outside(const VoxelGrid& grid, std::span<const uint8_t> mask);

}  // namespace sinew
