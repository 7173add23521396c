// Body: what retargeting knows of a humanoid skeleton in one pose: its directions, legs, feet and trunk.
// Data flow: Skeleton + HumanoidMap + a pose → *here* → reference_stance.h, contacts.h, feet.h.
#pragma once

#include <sinew/math/transform.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/skeleton.h>
#include <array>
#include <span>
#include <vector>

namespace sinew {

// Every joint in world space. Rotations are products of the local rotations alone: scale and mirroring play no part.
struct WorldPose {
    std::vector<Vec3d> position;
    std::vector<Quatd> rotation;
};
WorldPose world_pose(const Skeleton& skeleton, std::span<const Transform> local);

// The roles of one leg or arm, in order from the trunk. Side 0 is left, here and below.
constexpr std::array<Role, 4> leg_roles(size_t side) {
    return side == 0 ? std::array{Role::left_upper_leg, Role::left_lower_leg, Role::left_foot, Role::left_toes}
                     : std::array{Role::right_upper_leg, Role::right_lower_leg, Role::right_foot, Role::right_toes};
}
constexpr std::array<Role, 4> arm_roles(size_t side) {
    return side == 0 ? std::array{Role::left_shoulder, Role::left_upper_arm, Role::left_lower_arm, Role::left_hand}
                     : std::array{Role::right_shoulder, Role::right_upper_arm, Role::right_lower_arm, Role::right_hand};
}

// Columns: left, up, forward. Up is the coordinate axis along which the body stands. Left snaps to a coordinate axis
// within 4 degrees, so that a slightly uneven rest pose does not turn the whole motion.
Mat3d body_frame(const HumanoidMap& map, const WorldPose& pose);
// True where the legs point down and the shoulders are above the hips: such a pose can serve as a reference.
bool is_standing(const HumanoidMap& map, const WorldPose& pose, const Vec3d& up);
// How far a body is from standing straight, in radians: bent knees, a stride, a trunk that leans.
double crookedness(const HumanoidMap& map, const WorldPose& pose);

// The point midway between the hip sockets.
Vec3d socket_center(const HumanoidMap& map, const WorldPose& pose);
// From hip to ankle along the bones; the mean of both sides.
double leg_length(const HumanoidMap& map, const WorldPose& pose);

// The joints between hips and head, both excluded: `spine` up to the chest, `neck` above it.
struct Trunk {
    std::vector<int32_t> spine, neck;
};
Trunk trunk_of(const Skeleton& skeleton, const HumanoidMap& map);

// The two points at which a foot meets the ground: the ankle, and the ball, which moves with `ball_joint`.
struct FootPoints {
    int32_t ankle = -1;
    int32_t ball_joint = -1;
    Vec3d ball_offset = Vec3d::Zero();  // from ball_joint to the ball, in ball_joint's rotation frame
    Vec3d heading = Vec3d::Zero();      // the way the foot points in the given pose: unit, horizontal
    bool toes = false;                  // the skeleton has a toe joint
    Vec3d ball(const WorldPose& pose) const {
        const auto j = static_cast<size_t>(ball_joint);
        return pose.position[j] + pose.rotation[j] * ball_offset;
    }
};
// Where the skeleton has no toes, the ball is where a foot usually has it for a leg of this length.
FootPoints foot_points(const Skeleton& skeleton, const HumanoidMap& map, const WorldPose& pose, const Mat3d& frame,
                       size_t side);

// True where the foot does not hang on the shin, as in rigs whose feet hang on controls of their own.
bool is_loose_foot(const Skeleton& skeleton, const HumanoidMap& map, size_t side);

// A foot or hand that does not hang on the shin or forearm: the motion must put it at the end of that.
struct LooseEnd {
    int32_t joint = -1, holder = -1;
    Vec3d in_holder = Vec3d::Zero();  // its place in the holder's rotation frame, in the reference pose
};

// One side of a transfer, measured in its reference pose: the pose that the motion is measured from. That is the rest
// pose, or a frame of the clip where the rest pose does not stand.
struct Body {
    const Skeleton& skeleton;
    HumanoidMap map;
    WorldPose reference;
    Mat3d frame;       // body_frame
    double leg = 1.0;  // leg_length
    std::array<FootPoints, 2> feet;
    std::vector<LooseEnd> loose;
    std::vector<char>
        carries_role;              // per joint: it has a role, fingers and face apart, or carries a joint that has one
    std::vector<char> below_hips;  // per joint: the hips, or carried by them
    // Per joint, from its parent as it rests, in the parent's rotation frame; empty where a joint is scaled by
    // different factors along its axes, so that this depends on how others turn.
    std::vector<Vec3d> bones;
};
Body measure_body(const Skeleton& skeleton, const HumanoidMap& map, WorldPose reference);

}  // namespace sinew
