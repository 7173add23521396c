// RagdollBody: a rig as rigid parts with mass, joined by joints with limits, so that it can fall.
// Data flow: Character → fit_ragdoll() → *here* → ragdoll/world; a Pose → parts → a Pose.
#pragma once

#include <sinew/character/character.h>
#include <sinew/skeleton/joint_name.h>
#include <vector>

namespace sinew {

// The person for whom times, strengths and forces are stated: metres, kilograms. Others get theirs by size and mass.
constexpr double usual_height = 1.75, usual_mass = 70.4;

enum class PartKind : uint8_t {
    pelvis,
    waist,
    chest,
    head,
    upper_arm,
    lower_arm,
    hand,
    upper_leg,
    lower_leg,
    foot,
    trunk,  // from here on of animals: spine, neck, tail, a leg's first bone and those after it
    neck,
    tail,
    limb_root,
    limb
};

// A capsule that stands for the skin of some joints. It is fixed to one of them, `joint`; lengths are in metres and
// directions in that joint's frame, without its scale.
struct RagdollPart {
    int32_t joint = -1;
    int32_t parent = -1;  // a part before this one; −1: the root
    PartKind kind = PartKind::limb;
    Side side = Side::none;
    Vec3d centre = Vec3d::Zero();      // of mass, from the joint
    Quatd turn = Quatd::Identity();    // the capsule's frame; it lies along y
    double half = 0.0, radius = 0.05;  // half the length between the centres of its ends
    std::vector<Vec3d> balls;          // of a person's foot: four under the sole, which touch instead of the capsule
    double ball_radius = 0.0;
    double mass = 1.0;
    // The joint to the parent: parent_rotation * parent_frame * about x * about y * about z = rotation * frame.
    // x bends, y leans to the side, z twists about the bone.
    Quatd parent_frame = Quatd::Identity(), frame = Quatd::Identity();
    Vec3d low = Vec3d::Zero(), high = Vec3d::Zero();  // radians; y within ±1.5
};

struct RagdollBody {
    Skeleton skeleton;
    std::vector<RagdollPart> parts;  // parents before children
    Vec3d left = Vec3d::UnitX(), up = Vec3d::UnitY(), ahead = Vec3d::UnitZ();
    double height = 1.7;  // metres, at rest
    double mass = 0.0;
    bool person = false;

    int32_t find(PartKind kind, Side side = Side::none) const;  // the first such part, or −1
};

struct RagdollOptions {
    double density = 1000.0;  // kg/m³
    bool hands = true;        // a part of their own; else of the forearms
    bool waist = true;        // a part between pelvis and chest, where the spine has one
};
// Fits the parts to the skin as it stands at rest. Fails where nothing is skinned or rigidly attached to joints.
// A person has up to 16 parts, by role; an animal's follow its spine, neck, tail and legs; of any other body every
// chain is one.
Result<RagdollBody> fit_ragdoll(const Character& character, const RagdollOptions& options = {});

// Where a part is, and how it moves. `rotation` is that of its joint, `position` that of its centre of mass.
struct PartState {
    Vec3d position = Vec3d::Zero();
    Quatd rotation = Quatd::Identity();
    Vec3d velocity = Vec3d::Zero(), spin = Vec3d::Zero();
};

// The parts of a body in a pose, at rest or, with the pose `seconds` before it, moving.
std::vector<PartState> parts_of_pose(const RagdollBody& body, const Pose& pose);
std::vector<PartState> parts_of_pose(const RagdollBody& body, const Pose& before, const Pose& pose, double seconds);

// Turns the joints of `pose` as the parts are, and moves the root's. All other joints keep their local transforms.
void pose_of_parts(const RagdollBody& body, std::span<const PartState> parts, Pose& pose);

// The three angles of a part's joint, and the rotation that a part has for three angles.
Vec3d joint_angles(const RagdollPart& part, const Quatd& parent_rotation, const Quatd& rotation);
Quatd rotation_for_angles(const RagdollPart& part, const Quatd& parent_rotation, const Vec3d& angles);

// A seeded pose within the limits: `share` of each range about its middle; the root is turned any way.
Pose random_ragdoll_pose(const RagdollBody& body, uint64_t seed, double share = 0.8);

}  // namespace sinew
