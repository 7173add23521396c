// Rig: a skeleton for a bare mesh. Data flow: Mesh positions and triangles → *here* → Skeleton → weights, skin.
//
// I have a mesh, I want a skeleton:   fit_skeleton(positions, triangles).skeleton
// I know better where a joint is:     options.hints = {{"leftHand", {0.7f, 1.4f, 0}}}
// Is it any good?                     result.confidence >= accepted_confidence
// Why not?                            result.cues: "the thighs look much shorter than the shins"
#pragma once

#include <sinew/rig/joint_names.h>
#include <sinew/rig/template/rig_template.h>
#include <sinew/skeleton/skeleton.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// Below this the rig is written all the same, with a warning. Chosen so that no fit of
// script/bench rig (characters turned, posed, damaged) above it has a mean error over 6% of the height.
constexpr double accepted_confidence = 0.6;
// Below this a fit is wrong more often than right, and the rig is grown from the shape's branches instead. Lower for
// bipeds: where legs and head are seen, a doubtful biped is worth more than branches.
constexpr double guess_confidence = 0.35, biped_guess_confidence = 0.2;

struct JointHint {
    std::string joint;  // in any naming scheme
    Vec3 position = Vec3::Zero();
};

struct RigOptions {
    std::optional<RigKind> kind = {};          // none: found by score
    std::optional<Vec3> up = {}, facing = {};  // none: found
    // What the file says of it, as glTF says +Y: believed unless the shape contradicts strongly, which is a doubt.
    std::optional<Vec3> told_up = {};
    // Points of its face (eyes, nose, mouth) where the file names them: a reason to face their way
    std::vector<Vec3> face = {};
    std::vector<JointHint> hints = {};
    // Its joints instead of Sinew's own: no twist joints or root are added
    std::optional<RigTemplate> user_template = {};
    NameScheme names = NameScheme::vrm;
    // Where the kind is found by score and the best fit is below guess_confidence: grow the rig from the shape's
    // branches.
    bool grow_when_unsure = true;
    int fingers = 5;   // at most this many per hand, where the mesh has them
    int twist = 0;     // twist joints in each upper and lower arm and leg
    bool root = true;  // a joint on the ground above all others
};

// One way to read the mesh: what it is and how it stands.
struct RigHypothesis {
    RigKind kind = RigKind::generic;
    Vec3 up = Vec3::UnitY(), facing = Vec3::UnitZ();
    double score = 0.0;
    double confidence = -1.0;  // −1: not fitted
};

// One reason to trust the fit or to doubt it. `confidence` is what the product of all values is worth (docs/rig.md).
struct RigCue {
    std::string name;       // "thigh to shin"
    double value = 1.0;     // 0…1: what it leaves of the confidence; 1: all is well
    double measured = 0.0;  // what was measured: a ratio, a share of the height, a score; 1 and 0 for yes and no
    std::string text;       // "the thighs look much shorter than the shins"; "as expected"
};

struct RigResult {
    Skeleton skeleton;  // rest pose in mesh space
    RigKind kind = RigKind::generic;
    double confidence = 0.0;                // 0…1
    std::vector<RigCue> cues;               // why: in the order in which they were weighed
    std::vector<double> joint_confidence;   // per joint
    std::vector<std::string> joint_reason;  // per joint: what speaks most against it; empty where nothing does
    std::vector<Role> roles;                // per joint; Role::count where it has none
    std::vector<Vec3> positions;            // per joint, mesh space
    std::string pose;                       // "T", "A" or "other", of a biped's arms
    std::string stance;                     // "standing", "seated" or "crouching", of a biped's legs
    std::vector<uint32_t> base;             // vertices of a plinth that it stands on: they follow `base_joint` alone
    int32_t base_joint = -1;                // −1: it stands on none
    Vec3 up = Vec3::UnitY(), facing = Vec3::UnitZ();
    AffineD upright_from_mesh = AffineD::Identity();  // puts it on y = 0, facing +Z
    std::vector<RigHypothesis> hypotheses;            // best first
    std::vector<std::string> warnings;
};

// Any triangles will do: several pieces, holes, flipped faces, any scale and orientation. Fails when not one triangle
// is usable, when a hint names no joint of the rig or is given twice, and when the user's template has no joints.
// Deterministic for any number of threads.
Result<RigResult> fit_skeleton(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                               const RigOptions& options = {});

}  // namespace sinew
