// Readings: which way up a body stands, which way it looks and what kind of creature it is — several, scored.
// Data flow: body.h, symmetry.h → *here* → rig.h fits the best ones.
#pragma once

#include <sinew/rig/body.h>
#include <sinew/rig/symmetry.h>
#include <array>
#include <optional>
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

// Best first, at least one; the facing opposite to a kept reading is listed too. Sets Extremity::mirror for the best
// plane.
std::vector<Reading> find_readings(const VoxelBody& body, const Extremities& extremities,
                                   const ReadingOptions& options = {});

}  // namespace sinew
