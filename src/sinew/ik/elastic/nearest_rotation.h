// The rotation nearest to a 3×3 matrix: the local step of as-rigid-as-possible energies.
// Data flow: reduced_energy.cpp → *here*.
#pragma once

#include <sinew/math/types.h>

namespace sinew {

// Maximises trace(Rᵀ M) over rotations R; reflections are never given. A matrix that leaves it open (a line, a point)
// gets one of the best. Finite input never gives NaN.
Mat3d nearest_rotation(const Mat3d& m);

}  // namespace sinew
