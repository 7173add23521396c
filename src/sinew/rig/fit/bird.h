// Bird: joints of a body with two legs and spread wings. Data flow: fit.h's Upright → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

Fit fit_bird(const Upright& upright);

}  // namespace sinew
