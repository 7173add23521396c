// Humanoid roles: tells which joint is the left elbow, whatever the file calls it.
// Data flow: Skeleton → *here* → motion/retarget.h, info.
#pragma once

#include <sinew/skeleton/skeleton.h>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

// VRM 1.0's humanoid bones, in its order; to_string gives VRM's names ("leftUpperArm").
enum class Role : uint8_t {
    hips,
    spine,
    chest,
    upper_chest,
    neck,
    head,
    left_eye,
    right_eye,
    jaw,
    left_upper_leg,
    left_lower_leg,
    left_foot,
    left_toes,
    right_upper_leg,
    right_lower_leg,
    right_foot,
    right_toes,
    left_shoulder,
    left_upper_arm,
    left_lower_arm,
    left_hand,
    right_shoulder,
    right_upper_arm,
    right_lower_arm,
    right_hand,
    left_thumb_metacarpal,
    left_thumb_proximal,
    left_thumb_distal,
    left_index_proximal,
    left_index_intermediate,
    left_index_distal,
    left_middle_proximal,
    left_middle_intermediate,
    left_middle_distal,
    left_ring_proximal,
    left_ring_intermediate,
    left_ring_distal,
    left_little_proximal,
    left_little_intermediate,
    left_little_distal,
    right_thumb_metacarpal,
    right_thumb_proximal,
    right_thumb_distal,
    right_index_proximal,
    right_index_intermediate,
    right_index_distal,
    right_middle_proximal,
    right_middle_intermediate,
    right_middle_distal,
    right_ring_proximal,
    right_ring_intermediate,
    right_ring_distal,
    right_little_proximal,
    right_little_intermediate,
    right_little_distal,
    count
};
constexpr size_t role_count = static_cast<size_t>(Role::count);

std::string_view to_string(Role role);

// joint[role] is the joint with that role, or −1 where there is none.
struct HumanoidMap {
    std::array<int32_t, role_count> joint;
    HumanoidMap() { joint.fill(-1); }
    int32_t operator[](Role role) const { return joint[static_cast<size_t>(role)]; }
    // The role of each joint of a skeleton with `joint_count` joints; Role::count for a joint without one.
    std::vector<Role> roles(size_t joint_count) const;
    // True where hips, upper and lower legs, and upper and lower arms are all known: enough to retarget a body.
    bool is_body() const;
};

// Recognises roles by name (Mixamo, VRM and VRoid, Unreal, HumanIK, Rigify, CMU, MakeHuman, 3ds Max Biped, and plain
// English). Where names say nothing, the structure tells: the tree of joints, their positions and lengths.
HumanoidMap recognise_humanoid(const Skeleton& skeleton);

// The same for a body that is seen moving, where the rest pose may be no body at all and names may be silent:
// `moments[i][j]` is the place of joint j at the i-th moment of a clip, in order of time. Bones that keep their
// lengths, limbs that come in pairs, feet below hands, toes and knees that point ahead tell what is what.
HumanoidMap recognise_humanoid(const Skeleton& skeleton, std::span<const std::vector<Vec3d>> moments);

}  // namespace sinew
