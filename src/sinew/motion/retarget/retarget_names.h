// Retargeting by name, for skeletons that share joint names: animals, machines, the same rig twice.
// Data flow: retarget.cpp → *here*, when the bodies are not human or are the same.
#pragma once

#include <sinew/motion/retarget.h>
#include <optional>

namespace sinew {

// The unchanged tracks on the target's joint numbers, where every animated joint has a twin there: same name, same rest
// transform, same ancestors. Nothing otherwise.
std::optional<RetargetResult> copy_to_twin(const Skeleton& source, const Clip& motion, const Skeleton& target);

using JointPairs = std::vector<std::pair<int32_t, int32_t>>;  // (source, target)

// Pairs joints whose names agree without namespaces, case and punctuation. Of a repeated name the first counts.
JointPairs pairs_by_name(const Skeleton& source, const Skeleton& target);

// Each paired joint takes the source's world rotation since rest. The paired joints' rest positions, fitted to each
// other, give the rotation and scale between the two worlds.
RetargetResult transfer_pairs(const Skeleton& source, const Clip& motion, const Skeleton& target,
                              const JointPairs& pairs, const std::vector<float>& times, const RetargetOptions& options);

}  // namespace sinew
