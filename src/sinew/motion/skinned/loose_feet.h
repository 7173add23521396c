// Loose feet: rigs for IK hang the feet on controls beside the legs. Here such feet become the ends of their legs.
// Data flow: Skeleton → *here* → joined_rig.h → creatures/creature_motion.h.
#pragma once

#include <sinew/motion/skinned/joined_rig.h>

namespace sinew {

// Nothing where both feet hang on their legs, or no legs with feet are known.
std::optional<JoinedRig> join_loose_feet(const Skeleton& skeleton);

}  // namespace sinew
