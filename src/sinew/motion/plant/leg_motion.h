// Leg motion: the target's legs over all frames, as plain curves to plan with, and back into the target's rotations.
// Data flow: TargetMotion → *here* → foot_turns.h, toe_bend.h, joint_solve.h → *here* (IK) → TargetMotion.
#pragma once

#include <sinew/motion/plant/foot_skin.h>
#include <sinew/motion/retarget/target_motion.h>

namespace sinew {

struct LegMotion {
    std::array<int32_t, 4> drive = {-1, -1, -1, -1};  // thigh, shin, foot, toes
    std::vector<Vec3d> hip, knee, ankle, ball;
    std::vector<Vec3d> shin_vector;  // from the knee to the end of the shin; the planned ankle may lie elsewhere
    std::vector<Quatd> thigh, shin, foot, toes;                          // world rotations
    std::vector<Quatd> thigh_above, shin_above, foot_above, toes_above;  // world rotations of their parents
    Vec3d ball_in_foot = Vec3d::Zero();
    Vec3d heading_in_foot = Vec3d::Zero();
    Vec3d hinge_in_thigh = Vec3d::Zero();  // the axis that a straight knee bends about
    // Left in their frames, in the stance in which the foot is level.
    Vec3d left_in_shin = Vec3d::Zero(), left_in_foot = Vec3d::Zero();

    bool loose_foot = false;  // it does not hang on the shin, but is put at its end

    bool complete() const { return drive[0] >= 0 && drive[1] >= 0 && drive[2] >= 0; }
    size_t frames() const { return hip.size(); }
    FootPose foot_pose(size_t f) const { return {ankle[f], ball[f], shin[f], foot[f], toes[f]}; }
};
std::array<LegMotion, 2> record_legs(const Body& target, const std::vector<Drive>& drives, const TargetMotion& motion);

// Turns a foot, and its toes with it, about the ankle; moves it. The leg does not follow yet.
void turn_foot(LegMotion& leg, size_t frame, const Quatd& foot);
void move_foot(LegMotion& leg, size_t frame, const Vec3d& ankle);

// Moves hip and ankle of one frame to new places: changes the knee's bend about its present axis, then swings the whole
// leg the shortest way. The foot keeps its rotation. A place out of reach gets the leg stretched towards it.
void move_leg(LegMotion& leg, size_t frame, const Vec3d& hip, const Vec3d& ankle);

// Writes one frame into the rotations of the leg's drives.
void store_leg(const LegMotion& leg, size_t frame, TargetMotion& motion);

}  // namespace sinew
