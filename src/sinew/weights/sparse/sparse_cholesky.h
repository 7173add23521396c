// SparseCholesky: factorise a symmetric positive definite matrix once, then solve for many right-hand sides.
// Data flow: heat_matrix.h, bbw_solve.cpp → *here* → heat.cpp, bbw_solve.cpp.
#pragma once

#include <sinew/weights/sparse/supernodes.h>
#include <memory>
#include <span>
#include <vector>

namespace sinew {

// Multifrontal [Duff1983]: columns that have the same rows below them are one dense block, so that on a surface of a
// million vertices most of the work is done on dense matrices in the cache.
class SparseCholesky {
public:
    static constexpr size_t lanes = 8;  // right-hand sides solved together, so that the factor is read once for all

    // `lower`: the lower half, with every diagonal entry there. `nodes`: found in a matrix of the same pattern.
    SparseCholesky(const Eigen::SparseMatrix<double>& lower, Supernodes nodes);
    explicit SparseCholesky(const Eigen::SparseMatrix<double>& lower) : SparseCholesky(lower, find_supernodes(lower)) {}
    // False when the matrix is not positive definite, or when factorising it would take a hundred times what it takes
    // on a surface of its size; then there is nothing to solve with.
    bool ok() const { return ok_; }
    // In place: `values` holds `lanes` numbers per row. May be called from several threads.
    void solve(std::span<double> values) const;
    // The same with rows in the order in which they are eliminated, row_order(), which spares two copies.
    // Whole subtrees without a right-hand side are skipped on the way up the elimination tree; on the way down they are
    // left at 0 where all they touch is at most `negligible`. If the matrix is a diagonally dominant one of flows
    // (nothing positive off the diagonal), nothing in such a subtree could have been larger than what it touches.
    void solve_in_order(std::span<double> values, double negligible = 0.0) const;
    std::span<const int> row_order() const { return nodes_.old_of; }
    size_t entries() const { return begin_.empty() ? 0 : begin_.back(); }

private:
    bool factorise(const Eigen::SparseMatrix<double>& lower);

    Supernodes nodes_;
    std::vector<size_t> begin_;         // where each supernode's block begins in values_
    std::unique_ptr<double[]> values_;  // blocks of rows × width, row after row
    bool ok_ = false;
};

}  // namespace sinew
