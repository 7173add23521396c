// Geodesic distances: how far it is through the solid, along the shortest way that does not leave it.
// Data flow: solid.h's mask → *here* → rig (extremities, limb paths), weights.
#pragma once

#include <sinew/mesh/voxel_grid.h>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct GeodesicOptions {
    float limit = INFINITY;        // stop there: what is farther stays at infinity
    std::span<const float> speed;  // empty, or one positive number per voxel: the voxels that count as one
};

// For every voxel of the mask (non-zero) its distance in voxels from the nearest seed, by fast marching [Sethian1996];
// infinity outside the mask and where no seed can be reached. Voxels that share an edge or a corner hang together, but
// the way across is only taken where there is no other. Seeds outside the mask count for nothing. First order: about
// half a voxel too long near a seed, up to 4% along diagonals. O(n log n).
std::vector<float> geodesic_distance(const VoxelGrid& grid, std::span<const uint8_t> mask,
                                     std::span<const uint32_t> seeds, const GeodesicOptions& options = {});

// From a voxel down the distances to a seed: the voxels passed, both ends included. Empty when `from` was not reached.
std::vector<uint32_t> descend(const VoxelGrid& grid, std::span<const float> distance, uint32_t from);

// Connected parts of the mask (voxels that share a face, an edge or a corner): label[i] ≥ 0 within the mask, −1
// outside; parts are numbered by size, largest first, ties by their lowest voxel. sizes[label] = voxels.
struct VoxelParts {
    std::vector<int32_t> label;
    std::vector<size_t> sizes;
};
VoxelParts connected_parts(const VoxelGrid& grid, std::span<const uint8_t> mask);

}  // namespace sinew
