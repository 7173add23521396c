// Bones of a skin: its joints as segments in bind space, with the tree they form among themselves.
// Data flow: Skin and the skeleton's parents → *here*, once per binding → bulge_free.cpp, bend_twist.h,
// centre_influences.h.
#pragma once

#include <sinew/skin/influences.h>

namespace sinew {

struct SkinBone {
    int32_t parent = -1;  // the nearest ancestor that the skin has too, as an index into Skin::joints
    int32_t depth = 0;    // number of ancestors in the skin
    Vec3 head = Vec3::Zero();
    Vec3 tail = Vec3::Zero();  // equal to the head where nothing says where the bone goes
};

// One per joint of the skin. The tail is the head of the child with the most joints behind it (and away from the head);
// a joint at the end of a chain goes on in its parent's direction for half its length.
// joint_parents are Skeleton::parents().
std::vector<SkinBone> make_bones(const Skin& skin, std::span<const int32_t> joint_parents);

}  // namespace sinew
