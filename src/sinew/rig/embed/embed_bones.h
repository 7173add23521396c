// EmbedBones: the part of a template that says something about a body's shape — no roots on the ground, no handles, no
// fingers. Data flow: rig_template.h → *here* → embed.h.
#pragma once

#include <sinew/rig/template/rig_template.h>

namespace sinew {

// A joint of the template, or the end of its last bone. Parents stand before their children.
struct EmbedBone {
    int joint = -1;   // of the template; −1: the end of the parent's bone, which is no joint
    int parent = -1;  // in this list
    int mirror = -1;  // in this list; −1: in the middle
    Vec3d position = Vec3d::Zero();
    bool leaf = false;
};

// What is left out hangs on something that is not, or stands above all of it.
std::vector<EmbedBone> choose_embed_bones(const RigTemplate& rig_template);

}  // namespace sinew
