// Bird: the joints of a body with two legs and spread wings, placed by search (embed.h).
// Data flow: fit.h's Upright → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// Empty, with a warning, when the reading names no wings.
Fit fit_bird(const Upright& upright);

}  // namespace sinew
