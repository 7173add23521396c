// Retargeting: puts a motion of one skeleton on another.
// Data flow: Clip of a motion file → *here* → Clip of a character.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/skeleton.h>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {

// A point of a character's skin and the joints it follows, the strongest first; weights sum to 1. `place` is the point
// in the joint's space: what the joint's inverse bind matrix makes of the vertex.
struct SkinPoint {
    std::array<int32_t, 4> joint = {0, 0, 0, 0};
    std::array<float, 4> weight = {0, 0, 0, 0};
    std::array<Vec3, 4> place = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
};

// How a joint of the target came to follow a joint of the source.
enum class MatchedBy : uint8_t { role, name, structure, map, same_rig };
std::string_view to_string(MatchedBy by);
struct JointMatch {
    int32_t source = -1, target = -1;
    MatchedBy by = MatchedBy::role;
};

struct RetargetOptions {
    // A local pose in which the source's body stands, one transform per joint. Empty: its rest pose.
    std::vector<Transform> source_stance = {};
    // Which joint drives which: (source joint, target joint). Empty: joints are matched by role, name or structure.
    std::vector<std::pair<int32_t, int32_t>> map = {};
    float fps = 30.0f;           // keys per second of the new clip
    bool in_place_root = false;  // the hips stay above their place; only their height moves
    bool lock_feet = true;       // the target's feet stand still while the source's do
    // The target's skin, on which its feet stand; it must outlive the call. Empty: soles are guessed from the joints.
    std::span<const SkinPoint> skin = {};
    bool mirror = false;             // left and right swapped
    bool onto_animal = false;        // allow a person's motion on a body with four legs: arms move the front legs
    std::vector<int32_t> only = {};  // target joints that move, sorted; all others stay. Empty: all move
    // The source's skin, where its file has one. Empty: its hands are judged by a usual person's body.
    std::span<const SkinPoint> source_skin = {};
    // Hands touch what the source's touch, arms stay out of the body and the body above the floor. Needs `skin`.
    bool touch = true;
};

struct RetargetResult {
    Clip clip;
    int32_t mapped_joints = 0;         // joints of the target that the motion turns
    float scale = 1.0f;                // target leg length / source leg length
    float foot_skate_cm_per_s = 0.0f;  // mean horizontal speed of planted feet
    float ground_error_cm = 0.0f;      // mean distance of planted feet from the ground
    int32_t planted_contacts = 0;      // how often a foot of the source was found to stand
    std::vector<JointMatch> map;       // what moves what, in the order of the target's joints
    std::vector<std::string> warnings;
    // Where the source's rest pose is no neutral stance: the moment of the clip that stood in for it, in seconds.
    std::optional<float> reference_time = {};
};

// Two humanoids are brought to a common stance first, so that T-poses, A-poses and any other rest pose work. Where the
// source's rest pose is no body, or its names say nothing, the whole clip tells what its joints are and how it stands.
// The target then takes the source's world rotations since that stance, and its path scaled by the ratio of leg
// lengths. Animals of one kind are matched chain by chain: legs, spine, neck, head, tail, wings, fins. What is left is
// matched by role and by name. The same rig gets the clip unchanged.
//
// Fails on a clip that does not belong to the source, and when too few joints match: the message names what is missing.
Result<RetargetResult> retarget(const Skeleton& source, const Clip& motion, const Skeleton& target,
                                const RetargetOptions& options = {});

}  // namespace sinew
