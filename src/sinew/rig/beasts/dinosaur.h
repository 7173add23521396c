// Dinosaur: the joints of a beast on two legs with a level trunk: a tail behind, a head ahead, small arms or none.
// Data flow: fit.h's Upright → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// Follows each leg upwards from its toes and looks for its two bends: the knee, farthest ahead, and the ankle behind
// it, high above the toes. The trunk is the way from the hips to the nose. Empty, with a warning, without two legs, a
// head and a tail.
Fit fit_dinosaur(const Upright& upright);

}  // namespace sinew
