// Proportions: what a motion needs changed on a body that is built otherwise — broader hips for its legs, narrower
// shoulders for its hips. Data flow: reference_stance.h → *here* → retarget.cpp, frame by frame.
#pragma once

#include <sinew/motion/retarget/reference_stance.h>

namespace sinew {

struct Proportions {
    double tilt = 1.0;                        // of the target's hips, as a share of the source's
    std::array<double, 2> open = {0.0, 0.0};  // by how much an arm that hangs straight down is swung out, radians
    std::vector<int8_t> arm;                  // of each joint of the target: 0, 1 for those of an arm, −1
};
// All as it is where the two are of the same build.
Proportions compare_proportions(const Body& source, const Body& target, const Alignment& alignment);

// A body with wider hips for its legs would lift a foot off the ground whenever the pelvis tilts sideways: it tilts so
// much less that the sockets rise and fall in proportion. The turn to be added to the hips'.
Quatd ease_tilt(const Body& target, const Quatd& hips_since_reference, double tilt);

// Hands that pass the thighs of a body with broad shoulders go through those of one with broad hips: the turn to be
// added to the joints of an arm that points along `arm`; the more it hangs, the more.
Quatd open_arm(const Body& target, const Proportions& proportions, size_t side, const Quatd& hips_since_reference,
               const Vec3d& arm);

}  // namespace sinew
