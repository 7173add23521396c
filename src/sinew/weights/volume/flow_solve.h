// The screened heat equation on a graph, for many right-hand sides together, without a factorisation.
// Data flow: Volume, uptake, sources → *here* → voxel.cpp; heat.cpp where a surface's factor would be too large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew {

// The neighbours of c are others[first[c]] … others[first[c + 1] − 1]; heat flows as flows[i] · (difference).
struct FlowGraph {
    std::span<const uint32_t> first, others;
    std::span<const double> flows;
    size_t size() const { return first.size() - 1; }
};

constexpr size_t flow_lanes = 8;  // right-hand sides solved together, so that the matrix is read once for all

struct FlowSolve {
    int iterations = 0;
    double residual = 0.0;  // by how much any cell is off from what its neighbours ask for, over the largest value
};

// Solves (L + uptake) x = b by conjugate gradients, preconditioned by the diagonal; L is the graph's Laplacian,
// positive semidefinite, and uptake > 0 per cell. `values` holds flow_lanes numbers per cell: b on entry, x on return.
// May be called from several threads.
FlowSolve solve_heat(const FlowGraph& graph, std::span<const double> uptake, std::span<double> values,
                     double tolerance = 1e-5);

}  // namespace sinew
