// Quadruped: joints of a body that stands on four legs, with its tail. Data flow: fit.h's Upright → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// Legs are followed from the toes; heights of the joints go by the height at which the two legs of a pair meet, which
// is where the trunk begins.
Fit fit_quadruped(const Upright& upright);

// The unpaired extremity ahead (the nose) and the one behind (the tip of the tail); −1: none.
struct TrunkEnds {
    int head = -1, tail = -1;
};
TrunkEnds find_trunk_ends(const Upright& upright);

}  // namespace sinew
