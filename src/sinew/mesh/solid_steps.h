// The steps of make_solid, each in its own file. Internal to solid.h and weights/volume.
// Corners are in grid units: voxel (x, y, z) covers [x, x+1) × [y, y+1) × [z, z+1). Three corners per triangle.
#pragma once

#include <sinew/mesh/voxel_grid.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// touched[i] = 1 for every voxel that a triangle touches, by the overlap test of [Schwarz2010].
std::vector<uint8_t> touch_voxels(const VoxelGrid& grid, std::span<const Vec3d> corners);

// reached[i] = 1 for every voxel that can be reached from the border of the grid through voxels that are not blocked,
// from face to face.
std::vector<uint8_t> flood_from_border(const VoxelGrid& grid, std::span<const uint8_t> blocked);

// votes[i] = how many of the six rays along the axes, from the voxel's centre, say "inside": they leave the surface
// more often than they enter it.
std::vector<uint8_t> count_ray_votes(const VoxelGrid& grid, std::span<const Vec3d> corners);

}  // namespace sinew
