// Fingers: looked for in each hand, in a finer grid of its own.
// Data flow: fit_biped's wrists → *here* → finger joints in the Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// `positions` are in canonical space. A finger is an extremity of the hand; it is followed to where it joins the palm
// and gets three joints. The thumb is the one that leaves the hand nearest to the wrist. A hand that shows fewer than
// two (a fist, a mitten, a hoof) gets none, and so do hands with different numbers of fingers. At most `most` per hand.
void add_fingers(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const Upright& upright, int most,
                 Fit& fit);

}  // namespace sinew
