// NeighbourRows: which points may be near each other: points sorted by cells of one size, rows of cells next to each
// other in memory. Data flow: positions → *here* → ranges of sorted points → boids/, agents/.
//
// Cells are keys that are sorted, not a table: any extent of space costs the same, and points that are near in space
// are near in memory. Along x three cells of a row are one range, so nine ranges hold all that is near.
#pragma once

#include <sinew/math/types.h>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct PointRange {
    uint32_t begin = 0, end = 0;  // of sorted points
    uint32_t size() const { return end - begin; }
};
using NearRanges = std::array<PointRange, 9>;

class NeighbourRows {
public:
    // Sorts the points by cells of this size; points that share a cell keep their order. Points far beyond all others
    // share the last cells. Allocates only when there are more points than ever before. O(points).
    void build(std::span<const Vec3> positions, float cell);

    // order()[k] is the number, before sorting, of the k-th sorted point.
    std::span<const uint32_t> order() const { return order_; }
    // The occupied cells, in order, as ranges of sorted points.
    size_t cell_count() const { return cells_.size(); }
    PointRange points_of(size_t cell) const { return {cells_[cell].first, first_after(cell)}; }

    // Calls visit(points, near) for the cells [begin, end): the points of each, and the ranges that hold every point
    // nearer to one of them than a cell's size, themselves included. O(cells + points near them).
    template <class Visit>
    void visit_cells(size_t begin, size_t end, const Visit& visit) const;

private:
    struct Cell {
        uint64_t key = 0;
        uint32_t first = 0;
    };
    // 21 bits for each direction: z, y, x from the top, so that a row along x is a run of keys.
    static constexpr int bits = 21;
    static constexpr uint64_t step_y = uint64_t{1} << bits, step_z = uint64_t{1} << (2 * bits);

    uint32_t first_after(size_t cell) const {
        return cell + 1 < cells_.size() ? cells_[cell + 1].first : static_cast<uint32_t>(order_.size());
    }
    size_t find(uint64_t key) const;  // the first cell that is not before the key

    std::vector<uint64_t> keys_, keys_other_;
    std::vector<uint32_t> order_, order_other_;
    std::vector<Cell> cells_;
};

template <class Visit>
void NeighbourRows::visit_cells(size_t begin, size_t end, const Visit& visit) const {
    // Rows come in order, so nine cursors only ever go on.
    std::array<size_t, 9> cursor{};
    for (size_t c = begin; c < end; ++c) {
        const uint64_t key = cells_[c].key;
        NearRanges near;
        for (size_t r = 0; r < near.size(); ++r) {
            const uint64_t row = key + step_z * (r / 3) - step_z + step_y * (r % 3) - step_y;
            size_t k = c == begin ? find(row - 1) : cursor[r];
            while (k < cells_.size() && cells_[k].key < row - 1) ++k;
            cursor[r] = k;
            near[r].begin = k < cells_.size() ? cells_[k].first : static_cast<uint32_t>(order_.size());
            while (k < cells_.size() && cells_[k].key <= row + 1) ++k;
            near[r].end = k < cells_.size() ? cells_[k].first : static_cast<uint32_t>(order_.size());
        }
        visit(points_of(c), near);
    }
}

}  // namespace sinew
