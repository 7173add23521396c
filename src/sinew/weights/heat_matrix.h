// The heat equation's matrix on any triangle mesh.
// Data flow: Surface, heat_sources.h → *here* → sparse_cholesky.h → heat.cpp.
#pragma once

#include <sinew/weights/heat_sources.h>
#include <Eigen/SparseCore>
#include <vector>

namespace sinew {

// L + U, its lower half: L lets heat flow between vertices, the diagonal U = `uptake` is what each takes from its
// bones.
struct HeatMatrix {
    Eigen::SparseMatrix<double> lower;
    std::vector<double> uptake;
    size_t links = 0;
};

// L alone; uptake is empty, `area` gets the area around each vertex (never zero).
HeatMatrix make_laplacian(const Surface& surface, double link_distance, std::vector<double>& area);

// Adds `uptake` (> 0 everywhere, so that the matrix is never singular).
void take_up(HeatMatrix& matrix, std::vector<double> uptake);

}  // namespace sinew
