// Exact Euclidean distances on a voxel grid [Felzenszwalb2012]. Data flow: solid.h's mask → *here* → rig, weights.
#pragma once

#include <sinew/mesh/voxel_grid.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// For every voxel of the mask (non-zero), the distance from its centre to the centre of the nearest voxel that is not
// of the mask, in voxels; 0 outside the mask. What lies beyond the grid is not of the mask. The same for any number of
// threads; O(voxels).
std::vector<float> distance_to_outside(const VoxelGrid& grid, std::span<const uint8_t> mask);

}  // namespace sinew
