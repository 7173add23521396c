// How far two poses of a joint are apart: at a shell around it, where its skin is, and not at its point alone.
// Data flow: encode_segment.cpp and compile_clip.cpp → *here*.
#pragma once

#include <sinew/math/transform.h>

namespace sinew {

// The largest distance between where two matrices put a point within `shell` of the origin.
double shell_error(const AffineD& a, const AffineD& b, double shell);
// Whether it may reach `limit`: a bound from above without the eigenvalue, for those who look for the largest of many.
bool shell_error_may_reach(const AffineD& a, const AffineD& b, double shell, double limit);

}  // namespace sinew
