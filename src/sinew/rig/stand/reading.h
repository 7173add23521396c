// Readings: which way up a body stands, which way it looks and what kind of creature it is — several, scored.
// Data flow: stance.h → *here* → attempt.h fits the best ones.
#pragma once

#include <sinew/rig/body/voxel_body.h>
#include <sinew/rig/template/rig_template.h>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// One way to read the body. The rows of `axes` are the body's left, up and facing directions: canonical = axes * (mesh
// − origin). The origin lies on the mirror plane, on the ground below the body's middle.
struct Reading {
    RigKind kind = RigKind::generic;
    Mat3d axes = Mat3d::Identity();
    Vec3d origin = Vec3d::Zero();
    double overlap = 0.0;       // how much of the body its mirror image covers
    double up_score = 0.0;      // how well legs and arms fit; comparable between readings of one body
    double facing_score = 0.0;  // about −1…1; positive: more speaks for this facing than for the opposite
    double score = 0.0;
    // Tips of limbs in mesh space, one on each side. A quadruped's `leg_tips` are its front feet.
    std::optional<std::array<Vec3d, 2>> leg_tips, arm_tips, hind_tips;
};

struct ReadingOptions {
    std::optional<RigKind> kind;
    std::optional<Vec3d> up, facing;  // in mesh space
    std::optional<Vec3d> told_up;     // likewise, if the file says so: a reason, no order
    std::vector<Vec3d> face;          // points of the face, where they are known; in the space of the body that is read
};
// Whether a body stands as its file says; also true when the file says nothing.
bool as_told(const ReadingOptions& options, const Reading& reading);
// What that adds to a reading's score.
double told_adds(const ReadingOptions& options, const Reading& reading);

// All ways to read a body as the mesh has it: with every mirror plane, every side to rest on, both facings, every kind.
// Best first, at least one. `outline` are points of its surface.
std::vector<Reading> find_readings(const VoxelBody& body, const Extremities& ends, std::span<const Vec3d> outline,
                                   const ReadingOptions& options = {});

// The same for a body that stands already, +Y up and mirrored at x = 0: every kind, and both facings unless
// options.facing is set (then +Z). The mesh's own axes make no difference here.
std::vector<Reading> read_standing(const VoxelBody& body, const Extremities& ends, double overlap,
                                   const ReadingOptions& options = {});

}  // namespace sinew
