// Loose feet: rigs for IK hang the feet on controls beside the legs. Here such feet become the ends of their legs, so
// that motions can be made for the body; the motion is then put back onto the rig as the file has it.
// Data flow: Skeleton → *here* → creatures/creature_motion.h → Clip → *here* → Clip for the file's own joints.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/skeleton.h>
#include <optional>
#include <vector>

namespace sinew {

struct JoinedRig {
    Skeleton skeleton;           // stands as the file's does
    std::vector<int32_t> joint;  // per joint of it: which of the file's it is
    std::vector<int32_t> feet;   // joints of it that hang elsewhere in the file
};

// Nothing where both feet hang on their legs, or no legs with feet are known.
std::optional<JoinedRig> join_loose_feet(const Skeleton& skeleton);

// A clip of the joined rig as one of the file's: the feet get keys that put them where their legs had them.
// O(keys · joints).
Clip with_loose_feet(const JoinedRig& rig, const Skeleton& skeleton, const Clip& clip);

}  // namespace sinew
