// Fingers: where the mesh has them, looked for in each hand at its own resolution.
// Data flow: fit_biped's wrists → *here* → finger joints in the Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// `positions` in canonical space. A finger is an extremity of the hand, followed to where it joins the palm; it gets
// three joints. The thumb is the one that leaves the hand first. A fist, a mitten or a hoof shows fewer than two and
// gets none. At most `most` per hand; a hand keeps its fingers only if the other has as many.
void add_fingers(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const Upright& upright, int most,
                 Fit& fit);

}  // namespace sinew
