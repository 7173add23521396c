// The screened heat equation on a graph, for eight right-hand sides at once, without a factorisation.
// Data flow: Volume, uptake, sources → *here* → voxel.cpp; heat.cpp if the factor of a surface would be too large.
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
    double residual = 0.0;  // how far any cell is off from what its neighbours ask for, over the largest value
};

// Chosen: a tenth of the least weight that is kept.
constexpr double flow_tolerance = 1e-5;

// Solves (L + uptake) x = b by conjugate gradients, preconditioned by the diagonal, until the residual is at most
// `tolerance`. L is the graph's Laplacian, positive semidefinite; uptake > 0 for every cell. `values` holds flow_lanes
// numbers per cell: b on entry, x on return. May be called from several threads.
FlowSolve solve_heat(const FlowGraph& graph, std::span<const double> uptake, std::span<double> values,
                     double tolerance = flow_tolerance);

}  // namespace sinew
