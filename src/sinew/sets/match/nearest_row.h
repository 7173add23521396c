// Nearest row: the exact nearest neighbour among many rows of numbers, fast enough to ask in every frame.
// Data flow: features of all frames → *here*, once; a query per frame → *here* (kernels/) → motion_matching.h.
#pragma once

#include <sinew/sets/match/kernels/nearest_kernel.h>
#include <limits>
#include <vector>

namespace sinew {

// Rows are turned to their main axes (distances stay as they are), so that the first few numbers tell most, and put
// into a tree of boxes: a box that is farther away than the best row so far is passed over with all that is in it.
class NearestRow {
public:
    static constexpr size_t width = row_width;  // shorter rows are filled with zeros
    struct Found {
        uint32_t row = 0;
        float distance = std::numeric_limits<float>::infinity();  // squared
    };

    NearestRow() = default;
    // `rows` holds `count` rows of `dimensions` ≤ width numbers, one after another; at least one row. All are finite.
    NearestRow(std::span<const float> rows, size_t count, size_t dimensions);

    size_t size() const { return place_.size(); }
    // `hint`: a row that is likely near, such as the one after the last answer. Of rows at one distance any may come
    // out. No allocation.
    Found find(std::span<const float> query, uint32_t hint = 0) const;
    // The same by looking at every row.
    Found find_by_scan(std::span<const float> query) const;

private:
    using Row = std::array<float, width>;
    RowTree tree() const { return {nodes_, leaves_}; }
    Row turned(std::span<const float> query) const;

    size_t dimensions_ = 0;
    std::vector<float> axes_, mean_;  // one axis after another
    std::vector<RowNode> nodes_;
    std::vector<RowLeaf> leaves_;
    std::vector<uint32_t> order_;  // the number of the row at each place, as it came in
    std::vector<uint32_t> place_;  // and back
};

}  // namespace sinew
