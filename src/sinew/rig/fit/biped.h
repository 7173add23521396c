// Biped: joints of a body that stands on two legs, by reasoning about its parts.
// Data flow: fit.h's Upright → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// Arms and legs are followed from their tips in slices of equal geodesic distance: a slice that suddenly grows is the
// trunk, one that narrows behind the hand is the wrist, and so on. What the shape does not say is filled in with the
// proportions of people. Always answers; confidence says how far to trust it.
Fit fit_biped(const Upright& upright);

}  // namespace sinew
