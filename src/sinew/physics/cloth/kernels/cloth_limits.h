// What kernels and their twins divide by at least: it keeps divisions by 0 out of places that hold no constraint, and
// out of constraints of no length.
#pragma once

namespace sinew {

constexpr float cloth_least_length = 1e-12f, cloth_least_weight = 1e-12f;

}  // namespace sinew
