// Retargeting by name: for skeletons that share their joints' names — animals, machines, the same rig twice.
// Data flow: retarget.cpp → *here* when bodies are not human, or are one and the same.
#pragma once

#include <sinew/motion/retarget.h>
#include <optional>

namespace sinew {

// The tracks as they are, on the target's joint numbers, when every animated joint has its twin there: same name, same
// rest, same ancestors. Nothing otherwise.
std::optional<RetargetResult> copy_to_twin(const Skeleton& source, const Clip& motion, const Skeleton& target);

using JointPairs = std::vector<std::pair<int32_t, int32_t>>;  // (source, target)

// Pairs by name without namespaces, case and punctuation; the first of a repeated name counts.
JointPairs pairs_by_name(const Skeleton& source, const Skeleton& target);

// World-space rotations since rest, turned and scaled by the best fit of the paired joints at rest.
RetargetResult transfer_pairs(const Skeleton& source, const Clip& motion, const Skeleton& target,
                              const JointPairs& pairs, const std::vector<float>& times, const RetargetOptions& options);

}  // namespace sinew
