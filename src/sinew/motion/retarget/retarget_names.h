// Retargeting by pairs of joints, for skeletons that share names or some roles: machines, parts of bodies, the same rig
// twice.
// Data flow: retarget.cpp → *here*, when the bodies are not human or are the same.
#pragma once

#include <sinew/motion/retarget.h>
#include <optional>

namespace sinew {

// The unchanged tracks on the target's joint numbers, where every animated joint has a twin there: same name, same rest
// transform, same ancestors. Nothing otherwise.
std::optional<RetargetResult> copy_to_twin(const Skeleton& source, const Clip& motion, const Skeleton& target);

using JointPairs = std::vector<std::pair<int32_t, int32_t>>;  // (source, target)

// True where two names agree without namespaces, case and punctuation.
bool same_plain_name(std::string_view a, std::string_view b);

// Pairs joints whose names agree without namespaces, case and punctuation. Of a repeated name the first counts.
JointPairs pairs_by_name(const Skeleton& source, const Skeleton& target);

// Pairs joints that play the same role in a human body, however little of the body there is: an upper body without
// legs, a body that lacks an arm.
JointPairs pairs_by_role(const Skeleton& source, const Skeleton& target);

// Pairs by role, and by name for what has no role in either.
JointPairs pairs_by_role_and_name(const Skeleton& source, const Skeleton& target);

// Each paired joint takes the source's world rotation since rest. The paired joints' rest positions, fitted to each
// other, give the rotation and scale between the two worlds.
RetargetResult transfer_pairs(const Skeleton& source, const Clip& motion, const Skeleton& target,
                              const JointPairs& pairs, const std::vector<float>& times, const RetargetOptions& options);

}  // namespace sinew
