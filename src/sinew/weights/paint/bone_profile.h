// Weights along a bone: how a joint's share grows from its parent to its child, as one curve that can be edited
// [Bang2018]. Data flow: Surface, WeightField, a bone → *here* → samples of a curve; the edited curve → WeightField.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/surface/surface.h>

namespace sinew {

// The way from the parent over the joint to its child, in the surface's units. A vertex's place on it is that of the
// nearest point, 0 at the parent and 1 at the child.
struct BoneWay {
    uint32_t joint = 0, parent = 0;
    Vec3d from = Vec3d::Zero(), middle = Vec3d::Zero(), to = Vec3d::Zero();
};

// At `samples` even places, of the weight that joint and parent have together: the joint's part, as the mean over the
// skin there. Where there is no skin, as between the places beside it.
std::vector<float> bone_profile(const Surface& surface, const WeightField& field, const BoneWay& way, size_t samples);

// Changes the joint's part at every vertex by what `profile` differs from bone_profile() there: the same profile
// changes nothing, and what differs around the bone stays. Other joints keep their weights. Returns the vertices that
// changed.
std::vector<uint32_t> set_bone_profile(const Surface& surface, const BoneWay& way, std::span<const float> profile,
                                       WeightField& field);

}  // namespace sinew
