// Proportions: corrections for a target that is built differently from the source: wider hips, narrower shoulders.
// Data flow: reference_stance.h → *here* → transfer.h, frame by frame.
#pragma once

#include <sinew/motion/retarget/reference_stance.h>

namespace sinew {

struct Proportions {
    double tilt = 1.0;                        // the target's sideways tilt of the hips, as a share of the source's
    std::array<double, 2> open = {0.0, 0.0};  // radians by which an arm that hangs straight down swings out
    std::vector<int8_t> arm;                  // per target joint: the side of the arm it belongs to, else −1
};
// Bodies of the same build get no corrections.
Proportions compare_proportions(const Body& source, const Body& target, const Alignment& alignment);

// The rotation to put in front of the hips'. On a body with wide hips, a sideways tilt of the pelvis would lift a foot
// off the ground: it tilts less, so that the hip sockets rise and fall in proportion to the legs.
Quatd ease_tilt(const Body& target, const Quatd& hips_since_reference, double tilt);

// The rotation to put in front of the joints of an arm that points along `arm`. Hands that clear the thighs of a body
// with broad shoulders would pass through those of one with broad hips: hanging arms swing out.
Quatd open_arm(const Body& target, const Proportions& proportions, size_t side, const Quatd& hips_since_reference,
               const Vec3d& arm);

}  // namespace sinew
