// The sample humanoid's body: where its joints are and the implicit shape around them.
// Data flow: *here* → implicit_field.h → surface; joints → skeleton and weights in humanoid.cpp.
#pragma once

#include <sinew/sample/implicit_field.h>
#include <array>

namespace sinew::shape {

enum Region { skin, shirt, trousers, shoe, sole, hair, eye, lips };
// Limbs in the middle and on the left; those on the right are `right_limb` higher.
enum Limb {
    torso,
    head,
    arm,
    palm,
    thumb,
    index_finger,
    middle_finger,
    ring_finger,
    little_finger,
    leg,
    foot,
    limb_count
};
constexpr int right_limb = limb_count;

// Joints of the spine and of the left side; the right side mirrors them.
struct HumanoidJoints {
    Vec3d hips{0, 0.955, -0.005}, spine{0, 1.045, 0.0}, chest{0, 1.15, -0.005}, upper_chest{0, 1.275, -0.015};
    Vec3d neck{0, 1.455, -0.018}, head{0, 1.545, -0.004}, head_top{0, 1.75, -0.004};
    Vec3d shoulder{0.028, 1.415, -0.01}, upper_arm{0.162, 1.402, -0.014}, lower_arm, hand, hand_end;
    std::array<std::array<Vec3d, 4>, 5> fingers;  // thumb to little: three joints and the tip
    Vec3d upper_leg{0.092, 0.915, -0.004}, lower_leg{0.104, 0.495, 0.004}, foot{0.112, 0.088, -0.022};
    Vec3d toes, toes_end;
    Mat3d hand_axes;  // columns: towards the thumb, towards the palm's inside, towards the fingertips
    Mat3d foot_axes;  // columns: to the left, up, towards the toes
};
HumanoidJoints humanoid_joints();

// The head is described in its own size, then enlarged by head_scale about head_center.
const Vec3d head_center{0, 1.665, 0};
constexpr double head_scale = 1.09;
const Vec3d eye_center{0.0315, 1.6205, 0.0705};
constexpr double eye_radius = 0.0165;

Field humanoid_field(const HumanoidJoints& joints);

}  // namespace sinew::shape
