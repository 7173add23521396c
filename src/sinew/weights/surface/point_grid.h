// PointGrid: which points are near this one? A uniform grid over points.
// Data flow: positions → *here* → heat_matrix.cpp (gaps), boneless_parts.cpp (contacts), surface_finder.cpp, volume/.
#pragma once

#include <sinew/math/types.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

class PointGrid {
public:
    // Keeps a view of the points. Cells are `width` wide, or wider if there would be too many: at most four per point,
    // and never more than 16 million.
    PointGrid(std::span<const Vec3d> points, double width);

    // visit(index, squared distance) for every point within `radius`. The order is fixed but unspecified.
    template <class Visit>
    void each_within(const Vec3d& p, double radius, const Visit& visit) const {
        const Cell low = cell_of(p - Vec3d::Constant(radius)), high = cell_of(p + Vec3d::Constant(radius));
        for (int32_t z = low[2]; z <= high[2]; ++z)
            for (int32_t y = low[1]; y <= high[1]; ++y)
                for (int32_t x = low[0]; x <= high[0]; ++x) {
                    const size_t cell = index_of({x, y, z});
                    for (uint32_t i = first_[cell]; i < first_[cell + 1]; ++i) {
                        const double d = (points_[order_[i]] - p).squaredNorm();
                        if (d <= radius * radius) visit(order_[i], d);
                    }
                }
    }

    // The nearest point within `radius` for which accept(index) holds, or −1. Of equally near points, the lowest index.
    // Looks in growing rings.
    template <class Accept>
    int64_t nearest(const Vec3d& p, double radius, const Accept& accept) const {
        for (double reach = std::min(width_, radius);; reach = std::min(2.0 * reach, radius)) {
            int64_t best = -1;
            double best_squared = INFINITY;
            each_within(p, reach, [&](uint32_t i, double squared) {
                if (squared > best_squared || (squared == best_squared && i > best) || !accept(i)) return;
                best = i;
                best_squared = squared;
            });
            if (best >= 0 || reach >= radius) return best;
        }
    }

private:
    using Cell = std::array<int32_t, 3>;
    Cell cell_of(const Vec3d& p) const;
    size_t index_of(const Cell& c) const {
        return (static_cast<size_t>(c[2]) * static_cast<size_t>(dims_[1]) + static_cast<size_t>(c[1])) *
                   static_cast<size_t>(dims_[0]) +
               static_cast<size_t>(c[0]);
    }

    std::span<const Vec3d> points_;
    Vec3d origin_ = Vec3d::Zero();
    double width_ = 1.0;
    Cell dims_ = {1, 1, 1};
    std::vector<uint32_t> first_, order_;
};

}  // namespace sinew
