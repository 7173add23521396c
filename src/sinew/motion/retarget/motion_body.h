// Body: a humanoid skeleton as retargeting sees it — its directions, its legs, its trunk — in one pose.
// Data flow: Skeleton + HumanoidMap + a pose → *here* → reference_stance.h, contacts.h, feet.h.
#pragma once

#include <sinew/math/transform.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/skeleton.h>
#include <array>
#include <span>
#include <vector>

namespace sinew {

// Every joint in world space. Rotations are products of the local ones: scale and mirroring do not enter.
struct WorldPose {
    std::vector<Vec3d> position;
    std::vector<Quatd> rotation;
};
WorldPose world_pose(const Skeleton& skeleton, std::span<const Transform> local);

// The shortest rotation that points `from` along `to`; neither need be unit.
inline Quatd turn(const Vec3d& from, const Vec3d& to) {
    return Quatd::FromTwoVectors(from, to);
}

// The roles of one leg or arm, in order from the trunk.
constexpr std::array<Role, 4> leg_roles(size_t side) {
    return side == 0 ? std::array{Role::left_upper_leg, Role::left_lower_leg, Role::left_foot, Role::left_toes}
                     : std::array{Role::right_upper_leg, Role::right_lower_leg, Role::right_foot, Role::right_toes};
}
constexpr std::array<Role, 4> arm_roles(size_t side) {
    return side == 0 ? std::array{Role::left_shoulder, Role::left_upper_arm, Role::left_lower_arm, Role::left_hand}
                     : std::array{Role::right_shoulder, Role::right_upper_arm, Role::right_lower_arm, Role::right_hand};
}

// Columns: left, up, forward. Up is the principal axis the body stands along; left is snapped to one within 4 degrees,
// so that a slightly uneven rest pose does not turn the whole motion.
Mat3d body_frame(const HumanoidMap& map, const WorldPose& pose);
// Legs below the hips, arms above: a pose that can serve as a reference.
bool stands(const HumanoidMap& map, const WorldPose& pose, const Vec3d& up);

// Midway between the hip sockets.
Vec3d socket_center(const HumanoidMap& map, const WorldPose& pose);
// Hip to ankle along the bones, mean of both sides.
double leg_length(const HumanoidMap& map, const WorldPose& pose);

// Joints from below the hips to the head: those up to where the arms start, then the neck's; the head itself not.
struct Trunk {
    std::vector<int32_t> spine, neck;
};
Trunk trunk_of(const Skeleton& skeleton, const HumanoidMap& map);

// Where a foot meets the ground: the ankle, and the ball of the foot as a point that moves with `ball_joint`.
struct FootPoints {
    int32_t ankle = -1;
    int32_t ball_joint = -1;
    Vec3d ball_offset = Vec3d::Zero();  // in the rotation frame of ball_joint, from its origin
    Vec3d heading = Vec3d::Zero();      // in the given pose: unit, horizontal, the way the foot points
    bool toes = false;
    Vec3d ball(const WorldPose& pose) const {
        const auto j = static_cast<size_t>(ball_joint);
        return pose.position[j] + pose.rotation[j] * ball_offset;
    }
};
// Side 0 is left. Where there are no toes the ball is put where a foot of this leg's length has it.
FootPoints foot_points(const Skeleton& skeleton, const HumanoidMap& map, const WorldPose& pose, const Mat3d& frame,
                       size_t side);

}  // namespace sinew
