// Dragon: the joints of a body on four legs that has wings besides. Data flow: fit.h's Upright → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// A quadruped (fit/quadruped.h) with two wings on its chest. Empty, with a warning, without four legs or wings.
Fit fit_dragon(const Upright& upright);

// Adds a wing on each side to `parent`: upper, lower, hand and tip, along the middle of the wing from where it leaves
// the trunk, which is `trunk` (world units) to the side of the mirror plane.
struct WingPlan {
    int tips[2] = {-1, -1};  // extremities, left and right
    int parent = 0;
    double trunk = 0.0;
};
void add_wings(const Upright& upright, const WingPlan& plan, Fit& fit);

}  // namespace sinew
