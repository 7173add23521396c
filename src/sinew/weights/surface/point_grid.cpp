#include <sinew/weights/surface/point_grid.h>

#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

constexpr double least_width = 1e-9;  // all points in one place must not divide by zero
// Chosen: with a few cells per point most cells are short lists, and a small grid is cheap in any case.
constexpr double cells_per_point = 4.0, always_cheap = 4096.0, most_cells = 16e6;
constexpr double grow = 1.26;  // ∛2: each step halves the cells

}  // namespace

PointGrid::PointGrid(std::span<const Vec3d> points, double width)
    : points_(points), width_(std::max(width, least_width)) {
    Vec3d low = Vec3d::Zero(), high = Vec3d::Zero();
    if (!points.empty()) low = high = points[0];
    for (const Vec3d& p : points) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    origin_ = low;
    const Vec3d extent = high - low;
    const auto cells = [&] {
        double product = 1.0;
        for (int k = 0; k < 3; ++k) product *= std::floor(extent[k] / width_) + 1.0;
        return product;
    };
    const double most = std::clamp(cells_per_point * static_cast<double>(points.size()), always_cheap, most_cells);
    while (cells() > most) width_ *= grow;
    for (size_t k = 0; k < 3; ++k)
        dims_[k] = static_cast<int32_t>(std::floor(extent[static_cast<int>(k)] / width_)) + 1;
    first_.assign(static_cast<size_t>(dims_[0]) * static_cast<size_t>(dims_[1]) * static_cast<size_t>(dims_[2]) + 1, 0);
    order_.resize(points.size());
    for (const Vec3d& p : points) ++first_[index_of(cell_of(p)) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<uint32_t> at(first_.begin(), first_.end() - 1);
    for (uint32_t i = 0; i < points.size(); ++i) order_[at[index_of(cell_of(points[i]))]++] = i;
}

PointGrid::Cell PointGrid::cell_of(const Vec3d& p) const {
    Cell cell;
    for (size_t k = 0; k < 3; ++k) {
        const double at = std::floor((p[static_cast<int>(k)] - origin_[static_cast<int>(k)]) / width_);
        cell[k] = static_cast<int32_t>(std::clamp(at, 0.0, dims_[k] - 1.0));
    }
    return cell;
}

}  // namespace sinew
