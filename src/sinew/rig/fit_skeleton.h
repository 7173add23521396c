// Rig: a skeleton for a bare mesh. Data flow: Mesh positions and triangles → *here* → Skeleton → weights, skin.
//
// I have a mesh, I want a skeleton:   fit_skeleton(positions, triangles).skeleton
// I know better where a joint is:     options.hints = {{"leftHand", {0.7f, 1.4f, 0}}}
// Is it any good?                     result.confidence >= accepted_confidence
#pragma once

#include <sinew/rig/joint_names.h>
#include <sinew/rig/stand/reading.h>
#include <sinew/rig/template/rig_template.h>
#include <sinew/skeleton/skeleton.h>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// Below this the rig is written all the same, with a warning.
constexpr double accepted_confidence = 0.6;
// Below this it is nonsense more often than not; a biped of which legs and head are seen is worth more than a guess.
constexpr double guess_confidence = 0.35, biped_guess_confidence = 0.2;

struct JointHint {
    std::string joint;  // in any naming scheme
    Vec3 position = Vec3::Zero();
};

struct RigOptions {
    std::optional<RigKind> kind;     // none: chosen by score
    std::optional<Vec3> up, facing;  // none: found
    std::vector<JointHint> hints;
    std::optional<RigTemplate> user_template;  // its joints instead of Sinew's own; `fingers`, `twist`, `root` are its
    NameScheme names = NameScheme::vrm;
    // Where the kind is chosen by score and the best fit is no more than a guess: grow the rig from the shape's
    // branches.
    bool grow_when_unsure = true;
    int fingers = 5;   // at most this many per hand, where the mesh has them
    int twist = 0;     // twist joints in each upper and lower arm and leg
    bool root = true;  // a joint on the ground above all others
};

// One way the mesh was read, for the report.
struct RigHypothesis {
    RigKind kind = RigKind::generic;
    Vec3 up = Vec3::UnitY(), facing = Vec3::UnitZ();
    double score = 0.0;
    double confidence = -1.0;  // −1: not fitted
};

struct RigResult {
    Skeleton skeleton;  // rest pose in mesh space
    RigKind kind = RigKind::generic;
    double confidence = 0.0;               // 0…1
    std::vector<double> joint_confidence;  // per joint
    std::vector<Role> roles;               // per joint; Role::count where it has none
    std::vector<Vec3> positions;           // per joint, mesh space
    std::string pose;                      // "T", "A" or "other", of a biped's arms
    Vec3 up = Vec3::UnitY(), facing = Vec3::UnitZ();
    AffineD upright_from_mesh = AffineD::Identity();  // puts it on y = 0, facing +Z
    std::vector<RigHypothesis> hypotheses;            // best first
    std::vector<std::string> warnings;
};

// Any triangles: several pieces, holes, flipped faces, any scale and orientation; what solid.h makes of them is what
// counts. Fails when there is not one usable triangle, or a hint names no joint of the rig. Deterministic for any
// number of threads.
Result<RigResult> fit_skeleton(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                               const RigOptions& options = {});

}  // namespace sinew
