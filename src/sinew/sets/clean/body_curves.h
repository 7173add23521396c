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
    Signal above = {};  // of a rotation: how what it hangs on is turned in the world; empty where that is not known
    int32_t joint = -1, parent = -1;  // what it moves, and what that hangs on
};

// Fills what is not known of curve `i`. Five ways are tried on stretches of the same length that are known: the curve
// of least acceleration, of the joint against its parent and of the limb in the world; what a ridge regression on the
// main movements of the other joints says; and what the joint did in frames in which the others, or mostly those of its
// own limb, stood and moved alike (a Gaussian process). The last three are joined smoothly at both ends. Each counts by
// how well it did. Movements are the other joints' turns, and how the root bobs. Time is linear in the frames.
void fill_from_body(std::vector<BodyCurve>& curves, size_t i, double fps);

}  // namespace sinew
