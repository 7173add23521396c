// What the user asks for: joints at given places, twist joints, a root. Data flow: Fit → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

struct FixedJoint {
    std::string name;  // Sinew's own
    Vec3d position;    // canonical
};

// Puts joints where they must be. The joints below a fixed one move with it. Those between it and the trunk, or the
// next fixed one, move by their share. When `mirrored`, its partner on the other side moves as its mirror image.
void fix_joints(Fit& fit, const std::vector<FixedJoint>& fixed, bool mirrored);

// Adds `count` joints along each upper and lower arm and leg.
void add_twist_joints(Fit& fit, int count);

// Adds a joint "root", the parent of all, on the ground below the first joint.
void add_root(Fit& fit, double ground);

}  // namespace sinew
