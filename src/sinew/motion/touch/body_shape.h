// Body shape: how thick a body is, where a motion's hands and floor are concerned. A skin shows it; a skeleton without
// one gets the shape of a usual person of its size.
// Data flow: Body (+ SkinPoints) → *here* → touches.h, place_arms.h, settle_body.h.
#pragma once

#include <sinew/motion/retarget.h>
#include <sinew/motion/touch/body_segment.h>

namespace sinew {

// The parts of an arm that must stay out of the body, from the elbow outwards.
enum class ArmBone : uint8_t { forearm, hand };

// A point of the arm's skin, or a ball within it. For the forearm: `offset.x()` is the share of the way from elbow to
// wrist and the rest is zero. For the hand: the reference pose, relative to the wrist.
struct ArmPoint {
    ArmBone bone = ArmBone::hand;
    Vec3d offset = Vec3d::Zero();
    double radius = 0;
};

// A point that must stay above the floor, relative to its joint in the reference pose.
struct FloorPoint {
    Role joint = Role::hips;
    Vec3d offset = Vec3d::Zero();
};

struct BodyShape {
    std::array<BodySegment, part_count> parts;
    std::array<std::vector<ArmPoint>, 2> arm;  // side 0 is left
    // What the hand holds, as the hand's points are given: a shield stays above the floor, nothing more.
    std::array<std::vector<Vec3d>, 2> held;
    std::array<double, 2> held_reach = {0, 0};                   // from the wrist to the farthest of them
    std::array<Vec3d, 2> palm = {Vec3d::Zero(), Vec3d::Zero()};  // middle of the hand, as the hand's points are given
    std::array<double, 2> hand_reach = {0, 0};                   // from the wrist to the farthest point of the hand
    std::vector<FloorPoint> floor_points;                        // of trunk, head, thighs and knees
    double hand_thickness = 0;
    bool from_skin = false;

    const BodySegment& operator[](PartName name) const { return parts[static_cast<size_t>(name)]; }
    BodySegment& operator[](PartName name) { return parts[static_cast<size_t>(name)]; }
};

// With an empty skin, or one that shows too little of a part: proportions of a usual person with legs of this length.
BodyShape find_body_shape(const Body& body, std::span<const SkinPoint> skin);

// A point of an arm in a frame.
inline Vec3d arm_point(const ArmPoint& point, const Vec3d& elbow, const Vec3d& wrist, const Mat3d& hand_turn) {
    if (point.bone == ArmBone::hand) return wrist + hand_turn * point.offset;
    return elbow + point.offset.x() * (wrist - elbow);
}

}  // namespace sinew
