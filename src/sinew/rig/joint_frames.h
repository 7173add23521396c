// Joint frames: which way each joint's axes point.
// Data flow: fit.h → *here* → fit_skeleton.h, which makes rest transforms of them.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// A rotation per joint, in canonical space. +Y runs along the bone to the joint's main child (of a leaf: to its `tip`,
// or on from its parent). +X is the axis the joint bends about: a turn by a positive angle about it bends a knee back,
// an elbow and the spine forward. A limb that is already bent decides its own axis. A left joint and its right partner
// are mirror images: their X and Y are mirrored, their Z follows.
std::vector<Mat3d> find_joint_frames(const Fit& fit);

}  // namespace sinew
