// The heat equation's matrix on any triangle mesh, and its factorisation.
// Data flow: Surface, heat_sources.h → *here* → heat.cpp.
#pragma once

#include <sinew/weights/heat_sources.h>
#include <Eigen/SparseCholesky>
#include <span>
#include <vector>

namespace sinew {

// L + A·H, its lower half; `uptake` is the diagonal A·H, what each vertex takes from its bones.
struct HeatMatrix {
    Eigen::SparseMatrix<double> lower;
    std::vector<double> uptake;
    size_t links = 0;
};
HeatMatrix make_heat_matrix(const Surface& surface, std::span<const HeatSource> sources, const HeatOptions& options);

// A sparse LDLᵀ (approximate minimum degree ordering). One factorisation serves every bone.
class HeatFactor {
public:
    static constexpr size_t lanes = 8;  // right-hand sides solved together, so that the factor is read once for all

    explicit HeatFactor(const HeatMatrix& matrix);
    bool ok() const { return ok_; }
    // In place: `values` holds `lanes` numbers per vertex. May be called from several threads.
    void solve(std::span<double> values) const;

private:
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor_;
    bool ok_ = false;
};

}  // namespace sinew
