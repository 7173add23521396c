// Geodesic distances: how far it is along the shortest way that stays inside the solid.
// Data flow: solid.h's mask → *here* → rig (extremities, limb paths).
#pragma once

#include <sinew/mesh/voxel_grid.h>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct GeodesicOptions {
    float limit = INFINITY;        // stop there; voxels farther away stay at infinity
    std::span<const float> speed;  // empty, or one positive number per voxel: a step there counts as 1 / speed
    size_t until = SIZE_MAX;       // stop when this voxel is reached; only what is nearer than it is exact then
};

// For every voxel in the mask (non-zero), its distance in voxels from the nearest seed, by fast marching [Sethian1996];
// infinity outside the mask and where no seed can be reached. A way may step across an edge or a corner, but only to
// voxels that cannot be reached through faces. Seeds outside the mask are ignored. The method is of first order: about
// half a voxel too long near a seed, and up to 4% along diagonals. O(n log n).
std::vector<float> geodesic_distance(const VoxelGrid& grid, std::span<const uint8_t> mask,
                                     std::span<const uint32_t> seeds, const GeodesicOptions& options = {});

// Follows the distances downhill from a voxel to a seed. Returns the voxels passed, both ends included; empty if `from`
// was not reached.
std::vector<uint32_t> descend(const VoxelGrid& grid, std::span<const float> distance, uint32_t from);

// The connected parts of the mask; voxels that share a face, an edge or a corner are connected. label[i] is the part of
// a voxel, or −1 outside the mask. Parts are numbered by size, largest first; of equal parts, the one with the lowest
// voxel comes first. sizes[label] is the number of voxels.
struct VoxelParts {
    std::vector<int32_t> label;
    std::vector<size_t> sizes;
};
VoxelParts connected_parts(const VoxelGrid& grid, std::span<const uint8_t> mask);

}  // namespace sinew
