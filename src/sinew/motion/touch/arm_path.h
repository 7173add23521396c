// Arm path: one arm over a clip: as the motion has it, and how it is moved from there.
// Data flow: BodyMotion → *here* → arm_goals.h, arm_solve.h → place_arms.h.
#pragma once

#include <sinew/motion/touch/touches.h>

namespace sinew {

// What moves an arm in one frame, in units of length on a forearm: the whole arm turns about the shoulder (a rotation
// vector), and the elbow bends further. Unlike a way of the wrist this has no bad place: not the straight arm either.
using ArmMove = Eigen::Vector4d;

struct ArmBase {
    Vec3d shoulder, elbow, wrist;
    Vec3d hinge;                           // the elbow bends further about this axis; unit
    double least_bend = 0, most_bend = 0;  // by how much it may: radians, from where it is
    Quatd hand;                            // the hand's turn since the reference
};

struct ArmPlace {
    Vec3d elbow, wrist, hinge;
    Quatd upper, lower;  // world rotations to put in front of the bones' own; the lower one includes the upper
};

struct ArmPath {
    size_t side = 0;
    double forearm = 1;         // its length
    std::vector<ArmBase> base;  // empty where the body has no such arm
    std::vector<Quatd> hand;    // the hand's turn once it lies on what it touches
    std::vector<ArmMove> move;
    std::vector<ArmPlace> now;   // with the move
    std::vector<double> change;  // by how much the last step changed the move, in forearms
};

// `forward`: the way the body faces in its reference pose.
ArmPath record_arm(const BodyMotion& body, const Vec3d& forward, size_t side);

ArmPlace move_arm(const ArmBase& base, const ArmMove& move, double forearm);

// The pose with the arm where it is now.
PosedShape with_arm(const PosedShape& pose, const ArmPath& path, size_t frame);

}  // namespace sinew
