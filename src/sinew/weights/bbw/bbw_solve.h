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
    // On the largest breach of a bound, and a tenth of it on the largest change of a weight in one iteration. Chosen: a
    // hundredth does not show, and the energy is then within 2% of a slow reference (tests/weights/bbw_test.cpp).
    double tolerance = 1e-2;
    int max_iterations = 200;  // chosen: a bound on the time; `converged` tells whether it was enough
};

// weights[c * handles + h]: every row non-negative and summing to 1 (to rounding).
struct BbwSolution {
    std::vector<double> weights;
    double energy = 0.0;     // Σ over handles of wᵀ L M⁻¹ L w
    double breach = 0.0;     // largest difference between the smooth weights and the nearest ones within bounds
    double sum_error = 0.0;  // largest difference of a row's sum from 1, before rows are made to sum to 1
    int iterations = 0;
    bool converged = false;
};

// Minimises the energy subject to 0 ≤ w ≤ 1, rows that sum to 1, and the held cells. Alternating directions [Boyd2011]:
// smooth weights by one factorised operator for all handles, then the nearest point of the simplex in every cell, until
// the two agree. Every part of the volume needs a held cell (bridge_parts). `start` holds weights to begin with, or is
// empty.
BbwSolution solve_bbw(const Volume& volume, size_t handles, std::span<const HeldCell> held,
                      const BbwSolveOptions& options = {}, std::span<const double> start = {});

// A weight should only fall on the way from its handle, but neither bounds nor smoothness forbid that it rises again
// [Jacobson2012]. This lowers such false summits until less than 1e-3 is left of them. Rows still sum to 1.
void remove_false_summits(const Volume& volume, std::span<const HeldCell> held, size_t handles,
                          std::vector<double>& weights);

// The nearest point, in place, whose entries are non-negative and sum to 1 [Michelot1986].
void project_to_simplex(std::span<double> row);

}  // namespace sinew
