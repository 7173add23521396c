#include <sinew/rig/body/inner_parts.h>

#include <sinew/rig/body/neighbours.h>
#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {
namespace {

// Adds the part that hangs together with a voxel, of the voxels that no part has yet.
void take_part(const VoxelGrid& grid, uint32_t seed, const std::vector<uint8_t>& inner, InnerParts& parts) {
    const auto id = static_cast<int32_t>(parts.list.size());
    const int layer = grid.voxel(seed)[1];
    InnerPart part{.layer = layer,
                   .first = static_cast<uint32_t>(parts.voxels.size()),
                   .low = Vec3d::Constant(INFINITY),
                   .high = Vec3d::Constant(-INFINITY)};
    parts.voxels.push_back(seed);
    parts.of_voxel[seed] = id;
    for (size_t i = part.first; i < parts.voxels.size(); ++i) {
        const VoxelIndex at = grid.voxel(parts.voxels[i]);
        const Vec3d p = grid.centre(at);
        part.centre += p;
        part.low = part.low.cwiseMin(p);
        part.high = part.high.cwiseMax(p);
        for (int k = 0; k < cross_size; ++k) {
            const VoxelIndex n = in_cross(at, k);
            if (!grid.contains(n)) continue;
            const size_t v = grid.index(n);
            if (!inner[v] || parts.of_voxel[v] >= 0) continue;
            parts.of_voxel[v] = id;
            parts.voxels.push_back(static_cast<uint32_t>(v));
        }
    }
    part.count = static_cast<uint32_t>(parts.voxels.size()) - part.first;
    part.centre /= part.count;
    parts.list.push_back(part);
}

// Voxels that are nothing but surface and touch nothing else in their layer are a part, too: thin arms and hands.
void take_bare(const VoxelBody& body, const std::vector<uint32_t>& layer, std::vector<uint8_t>& seen,
               InnerParts& parts) {
    const VoxelGrid& grid = body.grid;
    std::vector<uint32_t> together;
    for (uint32_t seed : layer) {
        if (seen[seed]) continue;
        together.assign(1, seed);
        seen[seed] = 1;
        bool bare = true;
        for (size_t i = 0; i < together.size(); ++i) {
            bare &= parts.of_voxel[together[i]] < 0;
            const VoxelIndex at = grid.voxel(together[i]);
            for (int k = 0; k < square_size; ++k) {
                const VoxelIndex n = in_square(at, k);
                if (!grid.contains(n)) continue;
                const size_t v = grid.index(n);
                if (!body.mask[v] || seen[v]) continue;
                seen[v] = 1;
                together.push_back(static_cast<uint32_t>(v));
            }
        }
        if (bare) take_part(grid, seed, body.mask, parts);
    }
}

}  // namespace

int InnerParts::beyond(const VoxelGrid& grid, int part, int steps) const {
    const InnerPart& from = (*this)[part];
    if (from.layer + steps < 0 || from.layer + steps >= grid.dims[1]) return -1;
    std::map<int32_t, int> covered;
    for (uint32_t i = from.first; i < from.first + from.count; ++i) {
        const VoxelIndex at = grid.voxel(voxels[i]);
        if (const int32_t there = of_voxel[grid.index({at[0], at[1] + steps, at[2]})]; there >= 0) ++covered[there];
    }
    int best = -1, most = 0;
    for (const auto& [there, count] : covered)
        if (count > most) most = count, best = there;
    return best;
}

InnerParts find_inner_parts(const VoxelBody& body) {
    const VoxelGrid& grid = body.grid;
    InnerParts parts;
    parts.of_voxel.assign(body.mask.size(), -1);
    std::vector<uint8_t> inner(body.mask.size(), 0);
    std::vector<std::vector<uint32_t>> layers(static_cast<size_t>(grid.dims[1]));
    for (uint32_t v : body.voxels) {
        inner[v] = !body.shell[v];
        layers[static_cast<size_t>(grid.voxel(v)[1])].push_back(v);
    }
    std::vector<uint8_t> filled(body.mask.size(), 0);
    for (const std::vector<uint32_t>& layer : layers) {
        parts.layer_first.push_back(static_cast<int>(parts.list.size()));
        for (uint32_t v : layer)
            if (inner[v] && parts.of_voxel[v] < 0) take_part(grid, v, inner, parts);
        take_bare(body, layer, filled, parts);
    }
    parts.layer_first.push_back(static_cast<int>(parts.list.size()));
    return parts;
}

std::vector<int32_t> spread_parts(const VoxelBody& body, const InnerParts& inner, int low, int high) {
    const VoxelGrid& grid = body.grid;
    std::vector<int32_t> nearest(body.mask.size(), -1);
    for (int layer = std::max(low, 0); layer <= std::min(high, grid.dims[1] - 1); ++layer) {
        std::vector<uint32_t> front;
        for (int part = inner.layer_first[static_cast<size_t>(layer)];
             part < inner.layer_first[static_cast<size_t>(layer) + 1]; ++part)
            for (uint32_t i = inner[part].first; i < inner[part].first + inner[part].count; ++i) {
                nearest[inner.voxels[i]] = part;
                front.push_back(inner.voxels[i]);
            }
        for (size_t i = 0; i < front.size(); ++i) {
            const VoxelIndex at = grid.voxel(front[i]);
            for (int k = 0; k < square_size; ++k) {
                const VoxelIndex n = in_square(at, k);
                if (!grid.contains(n)) continue;
                const size_t v = grid.index(n);
                if (!body.mask[v] || nearest[v] >= 0) continue;
                nearest[v] = nearest[front[i]];
                front.push_back(static_cast<uint32_t>(v));
            }
        }
    }
    return nearest;
}

}  // namespace sinew
