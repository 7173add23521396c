// From a volume's cells to the vertices of the surface around it, smoothly.
// Data flow: Volume → *here* → coefficients, with which voxel.h and bbw.h turn cells' weights into vertices'.
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

// Moving least squares [Lancaster1981]: a linear function fitted to the cells around the vertex, those that are two
// steps away in the volume at most, so that nothing leaks over a gap. Exact for linear functions where there are cells
// enough; coefficients sum to 1. A vertex just outside every cell is led inwards by its normal, else it takes the
// nearest cell. The volume is not empty.
VertexCells vertex_cells(const Volume& volume, const Surface& surface);

// Adds to the field what the cells say of up to flow_lanes joints, the first of `joints`; `values` holds flow_lanes
// numbers per cell. Values below 1e-4 are left out.
void add_to_vertices(const VertexCells& map, std::span<const double> values, std::span<const int32_t> joints,
                     WeightField& field);

}  // namespace sinew
