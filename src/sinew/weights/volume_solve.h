// The screened heat equation on a volume, for all bones together.
// Data flow: Volume, uptake, sources → *here* → voxel.cpp.
#pragma once

#include <sinew/weights/volume.h>

namespace sinew {

constexpr size_t volume_lanes = 8;  // right-hand sides solved together, so that the matrix is read once for all

struct VolumeSolve {
    int iterations = 0;
    double residual = 0.0;  // by how much any cell is off from what its neighbours ask for, over the largest value
};

// Solves (L + uptake) x = b by conjugate gradients, preconditioned by the diagonal; L is the volume's Laplacian and
// uptake > 0 per cell. `values` holds volume_lanes numbers per cell: b on entry, x on return. May be called from
// several threads.
VolumeSolve solve_heat(const Volume& volume, std::span<const double> uptake, std::span<double> values,
                       double tolerance = 1e-5);

}  // namespace sinew
