// Banded systems: symmetric positive definite equations whose unknowns only touch their neighbours, as those of one
// curve over time do. Data flow: curve_fill.h, joint_solve.h → *here* → the unknowns, in linear time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

// A·x = b with A(i, j) = 0 where |i − j| > band. Memory is unknowns × (band + 1), time unknowns × band².
class BandedSystem {
public:
    BandedSystem(size_t unknowns, size_t band);

    void clear();
    // Adds to A(i, j) and A(j, i). i − j must lie in [0, band].
    void add(size_t i, size_t j, double value) { column(j)[i - j] += value; }
    // Replaces A by its factors. False where A is not positive definite.
    bool factor();
    // After factor(): turns b into x.
    void solve(std::span<double> b) const;

private:
    // Columns are eliminated this many at a time, and so many rows of them at once. Zeros follow each column, so that
    // neither number has to divide its length.
    static constexpr size_t together = 4, at_once = 4;

    double* column(size_t j) { return lower_.data() + j * stride_; }
    const double* column(size_t j) const { return lower_.data() + j * stride_; }
    size_t reach(size_t j) const { return std::min(band_, unknowns_ - 1 - j); }
    bool eliminate_among(size_t first, size_t count);
    void eliminate(size_t first);

    size_t unknowns_, band_, stride_;
    std::vector<double> lower_;  // the lower half, a column after another; then L and D of A = L·D·Lᵀ
};

}  // namespace sinew
