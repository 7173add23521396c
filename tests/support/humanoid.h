// A plain human skeleton for tests: 1.75 m, T-pose, on y = 0, facing +Z, its joints named in any convention.
#pragma once

#include <sinew/skeleton/humanoid.h>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace sinew::test {

// Names of one side's roles; "*" stands for the side. Empty: the convention has no such joint. In order: hips, spine,
// chest, upper chest, neck, head, eye, jaw, upper leg, lower leg, foot, toes, shoulder, upper arm, lower arm, hand,
// then three joints each of thumb, index, middle, ring and little finger.
constexpr size_t first_sided = 6, jaw_slot = 7, slot_count = 31;
struct NamingStyle {
    std::string title;
    std::string left, right;
    std::array<std::string, slot_count> names;
    // Joints that must not be taken for a role: name and the slot of the parent; "*" as above, −1: below the root.
    std::vector<std::pair<std::string, int>> extras;
};

struct Slot {
    Role left, right;
    int parent;
    Vec3 position;  // of the left side
};

inline const std::array<Slot, slot_count>& slots() {
    using enum Role;
    static const std::array<Slot, slot_count> table = {{
        {hips, hips, -1, {0, 0.95f, 0}},
        {spine, spine, 0, {0, 1.05f, -0.01f}},
        {chest, chest, 1, {0, 1.17f, -0.015f}},
        {upper_chest, upper_chest, 2, {0, 1.3f, -0.02f}},
        {neck, neck, 3, {0, 1.47f, -0.02f}},
        {head, head, 4, {0, 1.57f, 0}},
        {left_eye, right_eye, 5, {0.03f, 1.65f, 0.08f}},
        {jaw, jaw, 5, {0, 1.58f, 0.03f}},
        {left_upper_leg, right_upper_leg, 0, {0.09f, 0.92f, 0}},
        {left_lower_leg, right_lower_leg, 8, {0.092f, 0.5f, 0.005f}},
        {left_foot, right_foot, 9, {0.094f, 0.09f, -0.03f}},
        {left_toes, right_toes, 10, {0.1f, 0.02f, 0.1f}},
        {left_shoulder, right_shoulder, 3, {0.03f, 1.42f, 0}},
        {left_upper_arm, right_upper_arm, 12, {0.17f, 1.42f, -0.02f}},
        {left_lower_arm, right_lower_arm, 13, {0.45f, 1.42f, -0.025f}},
        {left_hand, right_hand, 14, {0.7f, 1.42f, -0.02f}},
        {left_thumb_metacarpal, right_thumb_metacarpal, 15, {0.73f, 1.41f, 0.02f}},
        {left_thumb_proximal, right_thumb_proximal, 16, {0.76f, 1.4f, 0.045f}},
        {left_thumb_distal, right_thumb_distal, 17, {0.785f, 1.395f, 0.06f}},
        {left_index_proximal, right_index_proximal, 15, {0.79f, 1.42f, 0.01f}},
        {left_index_intermediate, right_index_intermediate, 19, {0.825f, 1.42f, 0.01f}},
        {left_index_distal, right_index_distal, 20, {0.85f, 1.42f, 0.01f}},
        {left_middle_proximal, right_middle_proximal, 15, {0.79f, 1.42f, -0.015f}},
        {left_middle_intermediate, right_middle_intermediate, 22, {0.835f, 1.42f, -0.015f}},
        {left_middle_distal, right_middle_distal, 23, {0.86f, 1.42f, -0.015f}},
        {left_ring_proximal, right_ring_proximal, 15, {0.785f, 1.42f, -0.038f}},
        {left_ring_intermediate, right_ring_intermediate, 25, {0.825f, 1.42f, -0.038f}},
        {left_ring_distal, right_ring_distal, 26, {0.85f, 1.42f, -0.038f}},
        {left_little_proximal, right_little_proximal, 15, {0.775f, 1.42f, -0.06f}},
        {left_little_intermediate, right_little_intermediate, 28, {0.8f, 1.42f, -0.06f}},
        {left_little_distal, right_little_distal, 29, {0.82f, 1.42f, -0.06f}},
    }};
    return table;
}

inline std::string with_side(std::string name, const std::string& side) {
    for (size_t at = name.find('*'); at != std::string::npos; at = name.find('*')) name.replace(at, 1, side);
    return name;
}

struct NamedHumanoid {
    Skeleton skeleton;
    HumanoidMap expected;
};

// Joint frames are aligned with the world. A slot without a name is left out and its children move up.
inline NamedHumanoid make_humanoid_skeleton(const NamingStyle& style) {
    std::vector<std::string> names = {"Armature"};
    std::vector<int32_t> parents = {-1};
    std::vector<Vec3> world = {Vec3::Zero()};
    NamedHumanoid result;
    std::array<std::array<int32_t, 2>, slot_count> joint;
    const auto add = [&](const std::string& name, int32_t parent, const Vec3& position) {
        names.push_back(name);
        parents.push_back(parent);
        world.push_back(position);
        return static_cast<int32_t>(names.size() - 1);
    };
    const auto mirrored = [](Vec3 p, size_t side) { return side == 0 ? p : Vec3(-p.x(), p.y(), p.z()); };
    for (size_t slot = 0; slot < slot_count; ++slot) {
        const Slot& s = slots()[slot];
        const bool sided = s.left != s.right;
        for (size_t side = 0; side < 2; ++side) {
            const int32_t parent = s.parent < 0 ? 0 : joint[static_cast<size_t>(s.parent)][side];
            if (style.names[slot].empty()) {
                joint[slot][side] = parent;
            } else if (side == 1 && !sided) {
                joint[slot][1] = joint[slot][0];
            } else {
                joint[slot][side] = add(with_side(style.names[slot], side == 0 ? style.left : style.right), parent,
                                        mirrored(s.position, side));
                result.expected.joint[static_cast<size_t>(side == 0 ? s.left : s.right)] = joint[slot][side];
            }
        }
    }
    for (const auto& [name, slot] : style.extras) {
        const bool sided = name.find('*') != std::string::npos;
        for (size_t side = 0; side < (sided ? 2u : 1u); ++side) {
            const int32_t parent = slot < 0 ? 0 : joint[static_cast<size_t>(slot)][side];
            const Vec3 at = slot < 0 ? Vec3(0, 0, 0) : world[static_cast<size_t>(parent)];
            add(with_side(name, side == 0 ? style.left : style.right), parent, at + Vec3(0, 0.03f, 0.01f));
        }
    }
    std::vector<Transform> rest(names.size());
    for (size_t j = 1; j < names.size(); ++j) rest[j].translation = world[j] - world[static_cast<size_t>(parents[j])];
    result.skeleton = *Skeleton::create(std::move(names), std::move(parents), std::move(rest));
    return result;
}

inline NamingStyle vrm_style() {
    return {"VRM",
            "left",
            "right",
            {"hips",
             "spine",
             "chest",
             "upperChest",
             "neck",
             "head",
             "*Eye",
             "jaw",
             "*UpperLeg",
             "*LowerLeg",
             "*Foot",
             "*Toes",
             "*Shoulder",
             "*UpperArm",
             "*LowerArm",
             "*Hand",
             "*ThumbMetacarpal",
             "*ThumbProximal",
             "*ThumbDistal",
             "*IndexProximal",
             "*IndexIntermediate",
             "*IndexDistal",
             "*MiddleProximal",
             "*MiddleIntermediate",
             "*MiddleDistal",
             "*RingProximal",
             "*RingIntermediate",
             "*RingDistal",
             "*LittleProximal",
             "*LittleIntermediate",
             "*LittleDistal"},
            {}};
}

}  // namespace sinew::test
