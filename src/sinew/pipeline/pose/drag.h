// Dragging: targets for joints and vertices of a skinned character, solved by elastic posing.
// Data flow: Character, a pose, goals → *here* (ik/elastic/elastic_pose.h) → a pose.
#pragma once

#include <sinew/pipeline/pose/pose_body.h>

namespace sinew {

// `hold`: joints that stay as they are; empty: the feet, or else the topmost bone. `keep`: joints that do not turn.
// Fails where nothing is skinned, or a vertex does not exist.
Result<PoseOutcome> drag(const Character& character, const PoseBody& body, std::span<const Transform> start,
                         std::span<const PoseGoal> goals, std::vector<int32_t> hold, std::span<const int32_t> keep);

// Where a vertex, counted over the skinned meshes, is in a pose.
Result<Vec3d> vertex_place(const Character& character, std::span<const Transform> pose, int32_t vertex);

}  // namespace sinew
