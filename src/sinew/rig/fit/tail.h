// Tail: joints for a tail that a body has behind its hips. Data flow: fit.h's Upright, Fit → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// Where an extremity in the middle plane reaches back from the hips, or `tip` when it is given: a chain "tail1…" on
// them, from where the trunk has become half as thick. Nothing is added when it is shorter than `least`, world units.
struct TailOptions {
    int tip = -1;
    double least = 0.0;
};
void add_tail(const Upright& upright, const TailOptions& options, Fit& fit);

}  // namespace sinew
