// Body curves: the joints of a body move together, so what one joint lost the others can tell. Data flow: signals of
// all joints, which samples are believed → *here* → signals → clean_joint.h.
#pragma once

#include <sinew/sets/clean/smooth_curve.h>
#include <vector>

namespace sinew {

// One joint's samples, and which of them are believed.
struct BodyCurve {
    Signal signal;
    std::vector<char> known;
};

// Fills what is not known of curve `i`. Three ways are tried on stretches of the same length that are known: the curve
// of least acceleration; what a ridge regression on the main movements of the other joints says; and what the joint did
// in frames in which the others stood and moved alike (a Gaussian process). The last two are joined smoothly at both
// ends. Each counts by how well it did. Movements are the other joints' turns, and how the root bobs. Time is linear in
// the frames.
void fill_from_body(std::vector<BodyCurve>& curves, size_t i, double fps);

}  // namespace sinew
