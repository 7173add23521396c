// SphereGrid: which points are near each other, by cells of one size that are sorted, not stored: any extent of space
// costs the same. Data flow: positions → *here* → pairs of spheres.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

class SphereGrid {
public:
    // Files the points under cells of this size. Allocates only when there are more points than ever before.
    template <class Points>
    void build(const Points& position, size_t count, double cell);

    // Calls visit(j) for every point j > i in the cells around that of point i: all that are nearer than a cell's size,
    // and some that are not. In an order that depends on the points alone.
    template <class Visit>
    void near_later(uint32_t i, const Visit& visit) const;

    // Calls visit(i) for every point in the cells that the box touches.
    template <class Visit>
    void inside(const Vec3d& low, const Vec3d& high, const Visit& visit) const;

    double cell_size() const { return cell_; }

private:
    struct Cell {
        int32_t x, y, z;
        bool operator==(const Cell&) const = default;
    };
    // Coordinates beyond this are all in the last cell.
    static constexpr double farthest_cell = 1 << 29;

    Cell cell_of(const Vec3d& p) const {
        const auto along = [this](double v) {
            return static_cast<int32_t>(std::floor(std::clamp(v / cell_, -farthest_cell, farthest_cell)));
        };
        return {along(p.x()), along(p.y()), along(p.z())};
    }
    // [Teschner2003]
    uint32_t slot_of(const Cell& c) const {
        return (static_cast<uint32_t>(c.x) * 73856093u ^ static_cast<uint32_t>(c.y) * 19349663u ^
                static_cast<uint32_t>(c.z) * 83492791u) &
               mask_;
    }

    double cell_ = 1.0;
    uint32_t mask_ = 0;
    std::vector<Cell> cells_;       // per point
    std::vector<uint32_t> first_;   // per slot, into sorted_
    std::vector<uint32_t> sorted_;  // points, by slot
};

template <class Points>
void SphereGrid::build(const Points& position, size_t count, double cell) {
    cell_ = cell;
    size_t slots = 64;
    while (slots < 2 * count) slots *= 2;
    mask_ = static_cast<uint32_t>(slots - 1);
    cells_.resize(count);
    sorted_.resize(count);
    first_.assign(slots + 1, 0);
    for (size_t i = 0; i < count; ++i) {
        cells_[i] = cell_of(position(i));
        ++first_[slot_of(cells_[i]) + 1];
    }
    for (size_t s = 0; s < slots; ++s) first_[s + 1] += first_[s];
    for (size_t i = count; i-- > 0;) sorted_[--first_[slot_of(cells_[i]) + 1]] = static_cast<uint32_t>(i);
    // The loop above left each slot's start one place too far right.
    for (size_t s = 0; s < slots; ++s) first_[s] = first_[s + 1];
    first_[slots] = static_cast<uint32_t>(count);
}

template <class Visit>
void SphereGrid::near_later(uint32_t i, const Visit& visit) const {
    const Cell at = cells_[i];
    for (int32_t dx = -1; dx <= 1; ++dx)
        for (int32_t dy = -1; dy <= 1; ++dy)
            for (int32_t dz = -1; dz <= 1; ++dz) {
                const Cell near{at.x + dx, at.y + dy, at.z + dz};
                const uint32_t slot = slot_of(near);
                for (uint32_t k = first_[slot]; k < first_[slot + 1]; ++k)
                    if (const uint32_t j = sorted_[k]; j > i && cells_[j] == near) visit(j);
            }
}

template <class Visit>
void SphereGrid::inside(const Vec3d& low, const Vec3d& high, const Visit& visit) const {
    const Cell from = cell_of(low), to = cell_of(high);
    for (int32_t x = from.x; x <= to.x; ++x)
        for (int32_t y = from.y; y <= to.y; ++y)
            for (int32_t z = from.z; z <= to.z; ++z) {
                const uint32_t slot = slot_of({x, y, z});
                for (uint32_t k = first_[slot]; k < first_[slot + 1]; ++k)
                    if (cells_[sorted_[k]] == Cell{x, y, z}) visit(sorted_[k]);
            }
}

}  // namespace sinew
