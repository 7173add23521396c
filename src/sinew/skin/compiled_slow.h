// The scalar deformers on places of a compiled skin: for the few that SIMD kernels do not take. Internal to skin.
// Data flow: skin/kernel_*.cpp meets a run it cannot blend → *here* → skin/deform_vertex.h.
#pragma once

#include <sinew/skin/kernel.h>

namespace sinew {

extern const SlowPath slow_dual_quaternion;
extern const SlowPath slow_centres_of_rotation;

}  // namespace sinew
