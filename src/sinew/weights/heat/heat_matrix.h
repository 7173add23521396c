// The heat equation's matrix on any triangle mesh.
// Data flow: Surface, heat_sources.h → *here* → sparse_cholesky.h → heat.cpp.
#pragma once

#include <sinew/weights/heat/heat_sources.h>
#include <Eigen/SparseCore>
#include <vector>

namespace sinew {

// The lower half of L + U. L lets heat flow between vertices; the diagonal U = `uptake` is what each vertex takes from
// its bones.
struct HeatMatrix {
    Eigen::SparseMatrix<double> lower;
    std::vector<double> uptake;
    std::vector<std::array<uint32_t, 2>> links;  // bridges over gaps between pieces: higher vertex, lower vertex
};

// A matrix of zeros with an entry wherever heat can flow. That is enough to choose the order of elimination. Open edges
// are linked to other pieces within `link_distance`.
HeatMatrix make_heat_pattern(const Surface& surface, double link_distance);

// Fills in L. Returns the area around each vertex, never zero.
std::vector<double> fill_laplacian(const Surface& surface, HeatMatrix& matrix);

// Adds U. `uptake` is positive everywhere, so that the matrix is not singular.
void take_up(HeatMatrix& matrix, std::vector<double> uptake);

}  // namespace sinew
