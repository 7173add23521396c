// Quadruped: the joints of a body that stands on four legs, with its tail.
// Data flow: fit.h's Upright → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// Follows each leg upwards from its toes. The heights of its joints are shares of the height at which it meets the
// other leg of its pair, where the trunk begins (priors/animals.h). Empty, with a warning, without two pairs of legs.
Fit fit_quadruped(const Upright& upright);

// The extremities at the two ends of the trunk: the nose and the tip of the tail; −1: none.
struct TrunkEnds {
    int head = -1, tail = -1;
};
TrunkEnds find_trunk_ends(const Upright& upright);

// Adds hips, spine, the neck at the withers, and the head on the way from there to the nose (an extremity; −1: a round
// head). Returns the joints that legs hang on.
struct AnimalTrunk {
    int hips = -1, chest = -1;
};
AnimalTrunk add_animal_trunk(const Upright& upright, const Vec3d& hips, const Vec3d& withers, int nose, Fit& fit);

}  // namespace sinew
