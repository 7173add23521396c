// What kernels and their twins divide by at least: it keeps divisions by 0 out of places that hold no constraint, and
// out of constraints of no length.
#pragma once

namespace sinew {

// Beyond this bend, which is some 47°, fabric gives way without pushing back more: what is folded sharply does not
// spring open like a blade.
constexpr float cloth_most_bent = 0.8f;
constexpr float cloth_least_length = 1e-12f, cloth_least_weight = 1e-12f;

}  // namespace sinew
