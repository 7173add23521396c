// Readings: which way up a body stands, which way it looks and what kind of creature it is — several, scored.
// Data flow: stance.h → *here* → attempt.h fits the best ones.
#pragma once

#include <sinew/rig/body/voxel_body.h>
#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace sinew {

enum class RigKind : uint8_t { biped, quadruped, bird, generic };
std::string_view to_string(RigKind kind);

// One way to see the body. `axes` has as rows the body's left, up and facing directions: canonical = axes * (mesh −
// origin). The origin lies on the mirror plane at the ground, below the middle.
struct Reading {
    RigKind kind = RigKind::generic;
    Mat3d axes = Mat3d::Identity();
    Vec3d origin = Vec3d::Zero();
    double overlap = 0.0;       // of the mirror plane
    double up_score = 0.0;      // comparable between readings of one body
    double facing_score = 0.0;  // margin over the opposite facing, −1…1
    double score = 0.0;
    // Tips of limbs in mesh space: one on each side. Of a quadruped, `leg_tips` are the front feet.
    std::optional<std::array<Vec3d, 2>> leg_tips, arm_tips, hind_tips;
};

struct ReadingOptions {
    std::optional<RigKind> kind;
    std::optional<Vec3d> up, facing;  // as the mesh has them
};

// All ways to see a body as the mesh has it, best first, at least one: every mirror plane, every side to rest on, both
// facings, every kind. `outline` are points of its surface.
std::vector<Reading> find_readings(const VoxelBody& body, const Extremities& ends, std::span<const Vec3d> outline,
                                   const ReadingOptions& options = {});

// The same for a body that stands already: mirrored at x = 0, +Y up; both facings unless the caller has given one
// (options.facing: then +Z), every kind. What the mesh's axes were makes no difference here.
std::vector<Reading> read_standing(const VoxelBody& body, const Extremities& ends, double overlap,
                                   const ReadingOptions& options = {});

}  // namespace sinew
