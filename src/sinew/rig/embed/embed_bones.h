// EmbedBones: the bones of a template that a body's shape can show. Roots on the ground, handles and fingers are left
// out. Data flow: rig_template.h → *here* → embed.h.
#pragma once

#include <sinew/rig/template/rig_template.h>

namespace sinew {

// A joint of the template, or the end of its last bone. Parents stand before their children.
struct EmbedBone {
    int joint = -1;   // of the template; −1: this is the end of the parent's bone
    int parent = -1;  // in this list
    int mirror = -1;  // in this list; −1: in the middle
    Vec3d position = Vec3d::Zero();
    bool leaf = false;
};

// Joints that are left out are below those that are not, or above all of them.
std::vector<EmbedBone> choose_embed_bones(const RigTemplate& rig_template);

}  // namespace sinew
