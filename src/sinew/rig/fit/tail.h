// Tail: joints for a tail behind the hips. Data flow: fit.h's Upright, Fit → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>
#include <sinew/rig/priors/people.h>

namespace sinew {

// Adds a chain of joints "tail1", "tail2", … to the hips, along the extremity that reaches farthest back near the
// mirror plane, or along `tip` when it is given. It begins where it has this share of the trunk's thickness. A tail
// that is shorter than `least` (world units) gets none.
struct TailOptions {
    int tip = -1;
    double least = 0.0;
    double thickness = people::tail_root_thickness;
};
void add_tail(const Upright& upright, const TailOptions& options, Fit& fit);

}  // namespace sinew
