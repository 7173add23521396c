// ClothGrid: which points are near each other, by cells in rows: of three cells side by side, the points stand one
// behind the other. Data flow: Cloth's points → *here* → pairs that may touch.
#pragma once

#include <sinew/physics/cloth/kernels/cloth_kernel.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace sinew {

class ClothGrid {
public:
    // Files the points under cells of at least this size. Points that are no numbers stand in any cell. Allocates
    // only when there are more points, or more cells, than ever before.
    void build(std::span<const Float4> points, float reach) {
        std::array<float, 3> low, high;
        low.fill(INFINITY), high.fill(-INFINITY);
        for (const Float4& p : points)
            for (size_t k = 0; k < 3; ++k) {
                if (!(std::abs((&p.x)[k]) < farthest)) continue;
                low[k] = std::min(low[k], (&p.x)[k]), high[k] = std::max(high[k], (&p.x)[k]);
            }
        float cell = reach;
        for (;; cell *= growth) {
            double cells = 1.0;
            for (size_t k = 0; k < 3; ++k) {
                const double along = (static_cast<double>(high[k]) - low[k]) / cell;
                size_[k] = 1 + (along > 0.0 ? static_cast<int>(std::min(along, most_along)) : 0);
                cells *= size_[k];
            }
            if (cells <= cells_per_point * static_cast<double>(points.size() + octet_size)) break;
        }
        const float per_cell = 1.0f / cell;
        const auto cell_of = [&](const Float4& p) {
            std::array<int, 3> at;
            for (size_t k = 0; k < 3; ++k) {
                const float along = ((&p.x)[k] - low[k]) * per_cell;
                at[k] = along > 0.0f ? std::min(static_cast<int>(std::min(along, 1e9f)), size_[k] - 1) : 0;
            }
            return static_cast<uint32_t>((at[2] * size_[1] + at[1]) * size_[0] + at[0]);
        };
        const size_t cells =
            static_cast<size_t>(size_[0]) * static_cast<size_t>(size_[1]) * static_cast<size_t>(size_[2]);
        cell_.resize(points.size()), id_.resize(points.size()), points_.resize(points.size());
        first_.assign(cells + 2, 0);
        for (size_t i = 0; i < points.size(); ++i) ++first_[(cell_[i] = cell_of(points[i])) + 2];
        for (size_t c = 2; c < first_.size(); ++c) first_[c] += first_[c - 1];
        for (size_t i = 0; i < points.size(); ++i) {
            const uint32_t at = first_[cell_[i] + 1]++;
            id_[at] = static_cast<uint32_t>(i), points_[at] = points[i];
        }
    }

    // Calls visit(i, j, squared distance) once for every two points that are nearer than `reach`, which is that of the
    // build. In an order that depends on the points alone.
    template <class Visit>
    void pairs(float reach, const Visit& visit) const {
        const float limit = reach * reach;
        // Of the 27 cells around one, these rows stand behind its own: (y, z) from it.
        constexpr std::array<std::array<int, 2>, 4> rows = {{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
        for (int z = 0; z < size_[2]; ++z)
            for (int y = 0; y < size_[1]; ++y)
                for (int x = 0; x < size_[0]; ++x) {
                    const size_t own = cell_at(x, y, z);
                    const uint32_t begin = first_[own], end = first_[own + 1];
                    if (begin == end) continue;
                    const int left = std::max(x - 1, 0), right = std::min(x + 1, size_[0] - 1);
                    std::array<std::pair<uint32_t, uint32_t>, 5> ranges;
                    size_t count = 0;
                    ranges[count++] = {begin, first_[cell_at(right, y, z) + 1]};
                    for (const auto& [dy, dz] : rows) {
                        if (y + dy < 0 || y + dy >= size_[1] || z + dz >= size_[2]) continue;
                        const std::pair range{first_[cell_at(left, y + dy, z + dz)],
                                              first_[cell_at(right, y + dy, z + dz) + 1]};
                        if (range.first < range.second) ranges[count++] = range;
                    }
                    for (uint32_t i = begin; i < end; ++i) {
                        const Float4& p = points_[i];
                        for (size_t r = 0; r < count; ++r)
                            for (uint32_t j = r == 0 ? i + 1 : ranges[r].first; j < ranges[r].second; ++j) {
                                const float dx = p.x - points_[j].x, dy = p.y - points_[j].y, dz = p.z - points_[j].z;
                                const float squared = dx * dx + dy * dy + dz * dz;
                                if (squared < limit) visit(id_[i], id_[j], squared);
                            }
                    }
                }
    }

private:
    // Beyond so many cells for each point, cells are made larger by this factor until there are fewer.
    static constexpr double cells_per_point = 16.0;
    static constexpr double most_along = 1e9;
    static constexpr float farthest = 1e30f;
    static constexpr float growth = 1.26f;

    size_t cell_at(int x, int y, int z) const { return static_cast<size_t>((z * size_[1] + y) * size_[0] + x); }

    std::array<int, 3> size_{};
    std::vector<uint32_t> cell_, id_, first_;  // per point; in order of cells; per cell, into the points
    std::vector<Float4> points_;               // in order of cells
};

}  // namespace sinew
