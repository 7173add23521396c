// JointMotion: a joint's matrix taken apart into rotation, stretch and translation, as the rotation-blending deformers
// need it. Data flow: palette (skin/deform.h) → *here* → dual_quaternion.cpp, bulge_free.cpp, bend_twist.cpp,
// centres_of_rotation.cpp.
#pragma once

#include <sinew/math/dual_quat.h>
#include <span>
#include <vector>

namespace sinew {

// M = [A | t] with A = rotation · stretch, the polar decomposition: the rotation is the nearest to A, the stretch is
// symmetric. A mirroring matrix has a negative definite stretch, so that the rotation stays proper and unique.
struct JointMotion {
    DualQuat rigid;  // the rotation, then t
    Mat3 stretch = Mat3::Identity();
    Mat3 residue = Mat3::Zero();  // A − rotation
    bool is_rigid = true;         // the residue is nothing but rounding
};

JointMotion take_apart(const Affine& matrix);
std::vector<JointMotion> take_apart(std::span<const Affine> palette);

}  // namespace sinew
