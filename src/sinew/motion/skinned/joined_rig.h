// Joined rig: a rig whose joints hang elsewhere than the body's parts do, joined as a body is, so that motions can be
// made for it; a motion is then put back onto the joints as the file has them.
// Data flow: Skeleton → loose_feet.h, flat_rig.h → *here* → motions → Clip → *here* → Clip for the file's own joints.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/skeleton.h>
#include <optional>
#include <vector>

namespace sinew {

struct JoinedRig {
    Skeleton skeleton;           // stands as the file's does
    std::vector<int32_t> joint;  // per joint of it: which of the file's it is
    std::vector<int32_t> place;  // per joint of the file: which of it that is
    std::vector<int32_t> moved;  // joints of it that hang elsewhere in the file
};

// `parents`: of each joint of the file, in the body; they must make a tree. Nothing where a joint cannot be placed so.
std::optional<JoinedRig> join_rig(const Skeleton& skeleton, const std::vector<int32_t>& parents);

// A clip of the joined rig as one of the file's: the joints that were moved get keys that put them where the body had
// them. O(keys · joints).
Clip as_in_file(const JoinedRig& rig, const Skeleton& skeleton, const Clip& clip);

}  // namespace sinew
