#include <sinew/skin/deformers/skin_bones.h>

#include <cmath>

namespace sinew {
namespace {

Vec3 head_of(const Affine& inverse_bind) {
    const AffineD bind_from_joint = inverse_bind.cast<double>().inverse(Eigen::Affine);
    const Vec3 head = bind_from_joint.translation().cast<float>();
    return head.allFinite() ? head : Vec3(Vec3::Zero());
}

// The skin's joints with parents before children.
std::vector<int32_t> top_down(const Skin& skin, size_t joint_count) {
    std::vector<int32_t> bone_of(joint_count, -1), order;
    for (size_t i = 0; i < skin.joints.size(); ++i)
        bone_of[static_cast<size_t>(skin.joints[i])] = static_cast<int32_t>(i);
    for (int32_t bone : bone_of)
        if (bone >= 0) order.push_back(bone);
    return order;
}

}  // namespace

std::vector<SkinBone> make_bones(const Skin& skin, std::span<const int32_t> joint_parents) {
    std::vector<SkinBone> bones(skin.joints.size());
    std::vector<int32_t> nearest(joint_parents.size(), -1);  // per skeleton joint: its own or an ancestor's bone
    for (size_t i = 0; i < bones.size(); ++i) {
        bones[i].head = bones[i].tail = head_of(skin.inverse_bind[i]);
        nearest[static_cast<size_t>(skin.joints[i])] = static_cast<int32_t>(i);
    }
    for (size_t j = 0; j < joint_parents.size(); ++j) {
        const int32_t above = joint_parents[j] < 0 ? -1 : nearest[static_cast<size_t>(joint_parents[j])];
        if (nearest[j] < 0)
            nearest[j] = above;
        else if (SkinBone& bone = bones[static_cast<size_t>(nearest[j])]; above >= 0 && above != nearest[j]) {
            bone.parent = above;
            bone.depth = bones[static_cast<size_t>(above)].depth + 1;
        }
    }

    const std::vector<int32_t> order = top_down(skin, joint_parents.size());
    std::vector<int32_t> behind(bones.size(), 1), most(bones.size(), 0);
    for (size_t k = order.size(); k-- > 0;) {
        const auto i = static_cast<size_t>(order[k]);
        if (bones[i].parent < 0) continue;
        const auto parent = static_cast<size_t>(bones[i].parent);
        behind[parent] += behind[i];
        if (behind[i] < most[parent] || (bones[i].head - bones[parent].head).norm() == 0.0f) continue;
        most[parent] = behind[i];
        bones[parent].tail = bones[i].head;
    }
    for (size_t i = 0; i < bones.size(); ++i) {
        if (most[i] > 0 || bones[i].parent < 0) continue;
        bones[i].tail += 0.5f * (bones[i].head - bones[static_cast<size_t>(bones[i].parent)].head);
    }
    return bones;
}

}  // namespace sinew
