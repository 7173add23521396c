// Supernodes: the order in which a sparse matrix is eliminated, and which columns go together.
// Data flow: a symmetric pattern → *here* → sparse_cholesky.h.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Columns are renumbered: new_of[old], old_of[new]. A supernode is a run of new columns [columns[s], columns[s + 1])
// with one list of rows: its own columns first, then those below, ascending. Children come before their parents, and
// right after one another (a postorder), so that what children leave behind can be kept on a stack.
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

// Approximate minimum degree, then columns of nearly the same rows joined where that costs few zeros. `lower` is the
// lower half of a symmetric matrix, compressed; only its pattern is read, so its values may be written meanwhile.
Supernodes find_supernodes(const Eigen::SparseMatrix<double>& lower);

}  // namespace sinew
