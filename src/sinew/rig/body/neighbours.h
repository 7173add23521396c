// The voxels around a voxel, in the order in which floods visit them. Data flow: used wherever rig walks over voxels.
#pragma once

#include <sinew/mesh/voxel_grid.h>

namespace sinew {

// Within its layer (constant y), the four that share a face: +x, −x, +z, −z.
constexpr int cross_size = 4;
inline VoxelIndex in_cross(const VoxelIndex& v, int k) {
    return {v[0] + (k == 0) - (k == 1), v[1], v[2] + (k == 2) - (k == 3)};
}

// Within its layer, the square of 3 × 3, itself included.
constexpr int square_size = 9;
inline VoxelIndex in_square(const VoxelIndex& v, int k) {
    return {v[0] + k % 3 - 1, v[1], v[2] + k / 3 - 1};
}

// The cube of 3 × 3 × 3; the middle one is the voxel itself.
constexpr int cube_size = 27, cube_middle = 13;
inline VoxelIndex in_cube(const VoxelIndex& v, int k) {
    return {v[0] + k % 3 - 1, v[1] + k / 3 % 3 - 1, v[2] + k / 9 - 1};
}

}  // namespace sinew
