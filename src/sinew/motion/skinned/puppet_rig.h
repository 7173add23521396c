// A puppet's rig made whole: knees, ankles, elbows and wrists are put into its limbs of one part, so that any motion of
// a person can be retargeted to it; then each limb turns to where its hand or foot went.
// Data flow: SkinnedSkeleton → *here* → retarget_skinned.h → Clip → *here* → Clip for the puppet's own joints.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/motion/skinned/skinned_skeleton.h>
#include <sinew/skeleton/puppet.h>
#include <optional>

namespace sinew {

struct PuppetLimb {
    int32_t joint = -1;  // of the puppet
    int32_t end = -1;    // of the whole skeleton: ankle or wrist
    Vec3d tip;           // of its shape, seen from the joint
};

struct PuppetRig {
    PuppetMap map;
    Skeleton skeleton;              // the puppet's joints under the names of roles, then those that were put in
    std::vector<PuppetLimb> limbs;  // legs, then arms; left before right
    std::vector<SkinPoint> points;  // of the puppet's shape, on the whole skeleton
};

// Nothing for a body that is no puppet, or whose legs do not reach down.
std::optional<PuppetRig> make_puppet_rig(const SkinnedSkeleton& body);

// A clip of the whole skeleton as one of the puppet's joints. Limbs cannot bend: the body rides on the lower foot, as
// high above the floor as the motion has it. O(keys · joints).
Clip on_puppet(const PuppetRig& rig, const Skeleton& puppet, const Clip& clip);

}  // namespace sinew
