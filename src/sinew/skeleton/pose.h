// Pose: one moment of a character: a local Transform per joint, and the weights of its morph targets.
// Forward kinematics makes world matrices of it. Data flow: clip/clip.h → *here* → skin/ (joints), morph/ (weights).
#pragma once

#include <sinew/math/transform.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

class Skeleton;

// `morphs` holds the weights of all mesh instances one after another (Character::instances[i].first_morph).
struct Pose {
    std::vector<Transform> local;
    std::vector<float> morphs;
};

// Forward kinematics: local transforms of joints → world matrices.
// world_from_joint[j] = world_from_joint[parents[j]] * local[j]; a root's parent frame is the identity.
// Requires equal sizes and parents[j] < j (Skeleton::create proved both). No allocation, O(joints).
void local_to_world(std::span<const int32_t> parents, std::span<const Transform> local,
                    std::span<AffineD> world_from_joint);

// The same for a skeleton in its rest pose; allocates the result.
std::vector<AffineD> rest_world(const Skeleton& skeleton);

}  // namespace sinew
