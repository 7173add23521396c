// VoxelGrid: how a box of space is cut into cubes. Values are kept beside it in plain vectors, one per voxel.
// Data flow: solid.h makes one → distance_transform.h, geodesic.h → rig, weights.
#pragma once

#include <sinew/math/types.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sinew {

using VoxelIndex = std::array<int32_t, 3>;

// Voxel (x, y, z) covers origin + cell · [x, x+1) × [y, y+1) × [z, z+1). Its value is at index({x, y, z}); x runs
// fastest.
struct VoxelGrid {
    Vec3d origin = Vec3d::Zero();
    double cell = 1.0;
    VoxelIndex dims = {0, 0, 0};

    size_t count() const {
        return static_cast<size_t>(dims[0]) * static_cast<size_t>(dims[1]) * static_cast<size_t>(dims[2]);
    }
    size_t stride(int axis) const {
        return axis == 0 ? 1 : static_cast<size_t>(dims[0]) * (axis == 1 ? 1 : static_cast<size_t>(dims[1]));
    }
    size_t index(const VoxelIndex& v) const {
        return (static_cast<size_t>(v[2]) * static_cast<size_t>(dims[1]) + static_cast<size_t>(v[1])) *
                   static_cast<size_t>(dims[0]) +
               static_cast<size_t>(v[0]);
    }
    VoxelIndex voxel(size_t index) const {
        const auto nx = static_cast<size_t>(dims[0]), ny = static_cast<size_t>(dims[1]);
        return {static_cast<int32_t>(index % nx), static_cast<int32_t>(index / nx % ny),
                static_cast<int32_t>(index / (nx * ny))};
    }
    bool contains(const VoxelIndex& v) const {
        return v[0] >= 0 && v[1] >= 0 && v[2] >= 0 && v[0] < dims[0] && v[1] < dims[1] && v[2] < dims[2];
    }
    Vec3d centre(const VoxelIndex& v) const { return origin + cell * Vec3d(v[0] + 0.5, v[1] + 0.5, v[2] + 0.5); }
    Vec3d centre(size_t index) const { return centre(voxel(index)); }
    // The voxel a point lies in; a point outside the grid gets the nearest one. Requires a grid that is not empty.
    VoxelIndex locate(const Vec3d& point) const {
        const Vec3d g = (point - origin) / cell;
        VoxelIndex v;
        for (int k = 0; k < 3; ++k)
            v[static_cast<size_t>(k)] =
                static_cast<int32_t>(std::clamp(std::floor(g[k]), 0.0, dims[static_cast<size_t>(k)] - 1.0));
        return v;
    }
};

}  // namespace sinew
