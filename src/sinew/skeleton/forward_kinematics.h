// Forward kinematics: local transforms of joints → world matrices.
// Data flow: clip/sample.h → *here* → skin/.
#pragma once

#include <sinew/math/transform.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

class Skeleton;

// world_from_joint[j] = world_from_joint[parents[j]] * local[j]; a root's parent frame is the identity.
// Requires equal sizes and parents[j] < j (Skeleton::create proved both). No allocation, O(joints).
void local_to_world(std::span<const int32_t> parents, std::span<const Transform> local,
                    std::span<AffineD> world_from_joint);

// The same for a skeleton in its rest pose; allocates the result.
std::vector<AffineD> rest_world(const Skeleton& skeleton);

}  // namespace sinew
