// SparseCholesky: factorise a symmetric positive definite matrix once, then solve for many right-hand sides.
// Data flow: heat_matrix.h, bbw_solve.cpp → *here* → heat.cpp, bbw_solve.cpp.
#pragma once

#include <sinew/weights/sparse/supernodes.h>
#include <memory>
#include <span>
#include <vector>

namespace sinew {

// Multifrontal [Duff1983]: columns that have the same rows below them form one dense block, so that on a large surface
// most of the work is done on dense matrices in the cache.
//
// Why our own, when Eigen has SimplicialLLT and SimplicialLDLT? `script/bench cholesky` compares them on heat matrices
// of 24,000, 50,000 and 200,000 vertices:
// * For a figure of 56 joints, Eigen takes 1.5 to 2.4 times the processor time; more, the larger the mesh. It solves
// one
//   column after another, and its factorisation works entry by entry (1.1 to 1.9 times ours).
// * Eigen uses one thread; here, subtrees are eliminated side by side, and the result is the same for any number.
// * A bone warms a small part of the skin. solve_in_order skips the rest.
// * A matrix that is no surface's fills up without end. This class says so before it starts, and heat iterates instead.
// The order (approximate minimum degree) is Eigen's. CHOLMOD's supernodal code would do most of this, but it is GPL.
class SparseCholesky {
public:
    static constexpr size_t lanes = 8;  // right-hand sides solved together, so that the factor is read once for all

    // `lower` is the lower half and has every diagonal entry. `nodes` was found for a matrix of the same pattern.
    SparseCholesky(const Eigen::SparseMatrix<double>& lower, Supernodes nodes);
    explicit SparseCholesky(const Eigen::SparseMatrix<double>& lower) : SparseCholesky(lower, find_supernodes(lower)) {}
    // False if the matrix is not positive definite, or if factorising it would take far longer than for any surface of
    // its size. Then there is nothing to solve with.
    bool ok() const { return ok_; }
    // Solves in place: `values` holds `lanes` numbers per row. May be called from several threads.
    void solve(std::span<double> values) const;
    // The same with rows in the order of elimination, row_order(), which saves two copies. Whole subtrees without a
    // right-hand side are skipped on the way up the elimination tree. On the way down they stay 0 if all rows that they
    // touch are at most `negligible`: in a diagonally dominant matrix of flows (nothing positive off the diagonal),
    // nothing in such a subtree could be larger than what it touches.
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
