// BodyPose: one moment of a human body in an animator's terms (pelvis, spine, feet on the ground, arm angles), and the
// joint rotations that show it. Data flow: gait.h, actions.h → *here*, legs by ik/two_bone.h → Pose → Clip.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/math/types.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skeleton/skeleton.h>
#include <span>
#include <string>

namespace sinew {

// Lengths of the reference body, metres.
struct BodySize {
    double hip_height = 0.915, hip_half_width = 0.092;
    double pelvis_rise = 0.040;  // height of the hips joint above the hip sockets
    double thigh = 0.420, shin = 0.407, ankle_height = 0.088;
    double foot_length = 0.135;  // ankle to toes joint, along the ground
    double toe_height = 0.022;   // height of the toes joint above the sole
    double toe_length = 0.065;   // toes joint to tip
    double heel_length = 0.055;  // ankle to the back of the heel
};

// Where a foot is. Angles in radians.
struct FootTarget {
    Vec3d ankle = Vec3d::Zero();
    double pitch = 0;     // heel up, toes down
    double yaw = 0;       // towards the left
    double toe_bend = 0;  // toes up relative to the foot
    bool planted = true;  // some part of the sole rests on the ground
};

struct ArmAngles {
    double swing = 0;       // forward
    double spread = 0;      // away from the side: 0 hangs, π/2 is the T-pose
    double twist = 0;       // about the arm, thumb backwards
    double elbow = 0;       // bend
    double wrist = 0;       // bend towards the palm
    double wrist_side = 0;  // bend towards the thumb
    double shrug = 0;       // shoulder up
};

// Each rotation is (pitch forwards, yaw to the left, roll towards the right shoulder), relative to the joint below it.
struct BodyPose {
    Vec3d hips = Vec3d::Zero();
    Vec3d pelvis = Vec3d::Zero(), spine = Vec3d::Zero(), chest = Vec3d::Zero(), neck = Vec3d::Zero(),
          head = Vec3d::Zero();
    FootTarget feet[2];  // left, right
    ArmAngles arms[2];
    double finger_curl = 0.30;
};

// The reference skeleton's joints for a body pose.
Pose solve_body(const Skeleton& reference, const BodySize& size, const BodyPose& body);

// How far the lowest point of the sole is below the ankle, for a foot of that pitch and toe bend.
double sole_drop(const BodySize& size, double pitch, double toe_bend);

// The most that all hips can be raised (negative: must be lowered) without stretching any planted leg beyond `reach` of
// its length. Legs in the air do not count: one that cannot reach its target points at it.
double fit_hips_height(const BodySize& size, std::span<const BodyPose> poses, double reach = 0.995);

// A clip of all joints' rotations and the hips' translation, with poses[i] at i / fps seconds.
Clip bake_body(const Skeleton& reference, const BodySize& size, std::span<const BodyPose> poses, double fps,
               std::string name);

}  // namespace sinew
