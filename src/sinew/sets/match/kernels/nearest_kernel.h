// The inner loop of the nearest row: boxes eight at a time, rows eight at a time.
// Data flow: a query in the tree's axes + a tree → *here* → the nearest row → nearest_row.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew {

constexpr size_t row_width = 32;  // numbers in a row as it is kept
constexpr size_t box_width = 16;  // the leading ones of them, which boxes know
constexpr size_t node_parts = 8, leaf_rows = 16;

// Parts side by side: the lowest and highest of each number in each part. A part is a node, or a leaf: ~ its number.
struct RowNode {
    alignas(64) std::array<std::array<float, node_parts>, box_width> low, high;
    std::array<int32_t, node_parts> part;
};
// Rows side by side: the same number of each. Places without a row hold numbers that are far from everything.
struct RowLeaf {
    alignas(64) std::array<std::array<float, leaf_rows>, row_width> rows;
};
struct RowTree {
    std::span<const RowNode> nodes;  // the first is the root; none: the first leaf is all there is
    std::span<const RowLeaf> leaves;
};

struct NearRow {
    uint32_t place = 0;  // leaf · leaf_rows + row
    float distance = 0;  // squared
};

// The nearest row of all that are nearer than `best`; else `best`. Squares are added in order of the numbers, so that
// the distance is that of squared_row_distance() to the last bit, and so that a box is never farther than what is in
// it.
NearRow nearest_in_tree(const RowTree& tree, const float* query, NearRow best);
float squared_row_distance(const RowTree& tree, const float* query, uint32_t place);

}  // namespace sinew
