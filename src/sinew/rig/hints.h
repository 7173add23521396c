// What the user knows, and what is added on request: fixed joints, twist joints, a root. Data flow: Fit → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

struct FixedJoint {
    std::string name;  // Sinew's own
    Vec3d position;    // canonical
};

// Puts joints where they must be. What hangs on one moves with it; joints between it and the trunk, or the next fixed
// one, move by their share; its mirror partner moves alike when `mirrored`.
void fix_joints(Fit& fit, const std::vector<FixedJoint>& fixed, bool mirrored);

// `count` joints along each upper and lower arm and leg.
void add_twist_joints(Fit& fit, int count);

// A joint "root" at the height of the ground below the first joint, above all others.
void add_root(Fit& fit, double ground);

}  // namespace sinew
