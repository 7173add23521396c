// From the cells of a volume to the vertices of the surface around it, smoothly.
// Data flow: Volume, Surface → *here* → coefficients by which voxel.h and bbw.h turn cells' weights into vertices'.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/volume/volume.h>

namespace sinew {

// A vertex's value is Σ coefficients[i] · value[cells[i]] over [first[v], first[v + 1]).
struct VertexCells {
    std::vector<uint32_t> first;
    std::vector<uint32_t> cells;
    std::vector<double> coefficients;
};

// Moving least squares [Lancaster1981]: a linear function is fitted to the cells around the vertex, at most two steps
// away in the volume, so that nothing leaks over a gap. It is exact for linear functions where there are enough cells.
// Coefficients sum to 1. A vertex just outside every cell is led inwards by its normal; if that fails, it takes the
// nearest cell. The volume must not be empty.
VertexCells vertex_cells(const Volume& volume, const Surface& surface);

// Adds the weights of the first flow_lanes of `joints` to the field. `values` holds flow_lanes numbers per cell.
// Weights below 1e-4 are left out.
void add_to_vertices(const VertexCells& map, std::span<const double> values, std::span<const int32_t> joints,
                     WeightField& field);

}  // namespace sinew
