// Supernodes: in which order to eliminate a sparse matrix, and which columns to eliminate together.
// Data flow: a symmetric pattern → *here* → sparse_cholesky.h.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Columns are renumbered: new_of[old], old_of[new]. A supernode is a run of new columns [columns[s], columns[s + 1])
// that share one list of rows: its own columns first, then those below, ascending. Children come right before their
// parents (a postorder), so that what children leave behind can be kept on a stack.
struct Supernodes {
    std::vector<int> new_of, old_of;
    std::vector<int> columns;       // one more than there are supernodes
    std::vector<size_t> first_row;  // of supernode s in rows: [first_row[s], first_row[s + 1])
    std::vector<int> rows;
    std::vector<int> parent;  // supernode; −1: none

    size_t count() const { return parent.size(); }
    int width(size_t s) const { return columns[s + 1] - columns[s]; }
    std::span<const int> rows_of(size_t s) const {
        return std::span(rows).subspan(first_row[s], first_row[s + 1] - first_row[s]);
    }
};

// Orders the columns by approximate minimum degree (Eigen's), then joins columns of nearly the same rows if that costs
// few zeros. `lower` is the lower half of a symmetric matrix, compressed. Only its pattern is read, so its values may
// be written meanwhile.
Supernodes find_supernodes(const Eigen::SparseMatrix<double>& lower);

}  // namespace sinew
