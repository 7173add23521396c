// Bounded biharmonic weights on a volume [Jacobson2011]: the smoothest weights with given values at the handles.
// Data flow: Volume, the cells that handles hold → *here* → bbw.cpp.
#pragma once

#include <sinew/weights/volume/volume.h>
#include <vector>

namespace sinew {

// A cell whose weights are given: `row` has one number per handle, non-negative, summing to 1.
struct HeldCell {
    uint32_t cell = 0;
    std::vector<double> row;
};

struct BbwSolveOptions {
    double tolerance = 1e-2;  // on the largest breach of a bound; a tenth of it on the largest change of a weight
    int max_iterations = 200;
};

// weights[c * handles + h]: every row non-negative and summing to 1 (to rounding).
struct BbwSolution {
    std::vector<double> weights;
    double energy = 0.0;     // Σ over handles of wᵀ L M⁻¹ L w
    double breach = 0.0;     // largest difference between the smooth weights and the nearest ones within bounds
    double sum_error = 0.0;  // of the smooth weights' rows, before anything is made to sum to 1
    int iterations = 0;
    bool converged = false;
};

// Minimises the energy subject to 0 ≤ w ≤ 1, rows that sum to 1, and the held cells. Alternating directions [Boyd2011]:
// smooth weights by one factorised operator for all handles, then the nearest point of the simplex in every cell, until
// both agree. Every part of the volume needs a held cell (bridge_parts). `start` is empty, or weights to begin with.
BbwSolution solve_bbw(const Volume& volume, size_t handles, std::span<const HeldCell> held,
                      const BbwSolveOptions& options = {}, std::span<const double> start = {});

// Takes away what rises again on every way from a handle: neither bounds nor smoothness forbid it [Jacobson2012], and a
// handle should be felt less the further away it is. Rows go on summing to 1; what is left of summits is below 1e-3.
void remove_false_summits(const Volume& volume, std::span<const HeldCell> held, size_t handles,
                          std::vector<double>& weights);

// The nearest point, in place, whose entries are non-negative and sum to 1 [Michelot1986].
void project_to_simplex(std::span<double> row);

}  // namespace sinew
