// Generic: a rig grown from the shape's own branches, for a snake, an octopus, a tree, a table.
// Data flow: fit.h's Upright → curve_skeleton.h → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// Every branch longer than a fourteenth of the body's diagonal gets joints, more the longer it is. Always answers: a
// ball gets one joint.
Fit fit_generic(const Upright& upright);

}  // namespace sinew
