// Biped: the joints of a body that stands on two legs, found part by part.
// Data flow: fit.h's Upright → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// Follows arms and legs from their tips in slices of equal geodesic distance: a slice that suddenly grows is the trunk,
// one that narrows behind the hand is the wrist, and so on. Where the shape says nothing, the proportions of people do
// (priors/people.h). Empty when there are no legs; else Fit::confidence says how far to trust it.
Fit fit_biped(const Upright& upright);

}  // namespace sinew
