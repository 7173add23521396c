// The heat equation's matrix on any triangle mesh.
// Data flow: Surface, heat_sources.h → *here* → sparse_cholesky.h → heat.cpp.
#pragma once

#include <sinew/weights/heat/heat_sources.h>
#include <Eigen/SparseCore>
#include <vector>

namespace sinew {

// L + U, its lower half: L lets heat flow between vertices, the diagonal U = `uptake` is what each takes from its
// bones.
struct HeatMatrix {
    Eigen::SparseMatrix<double> lower;
    std::vector<double> uptake;
    std::vector<std::array<uint32_t, 2>> links;  // bridges over gaps between pieces; the higher vertex first
};

// A matrix of zeros with an entry wherever heat can flow: enough to find out in which order to eliminate.
HeatMatrix make_heat_pattern(const Surface& surface, double link_distance);

// Fills in L alone; returns the area around each vertex (never zero).
std::vector<double> fill_laplacian(const Surface& surface, HeatMatrix& matrix);

// Adds `uptake` (> 0 everywhere, so that the matrix is never singular).
void take_up(HeatMatrix& matrix, std::vector<double> uptake);

}  // namespace sinew
