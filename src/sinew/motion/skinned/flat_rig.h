// Flat rig: a person all of whose joints hang on one, side by side, as some exporters write them. What tells the body's
// parts is their names and where they lie. Data flow: Skeleton → *here* → joined_rig.h → retarget_skinned.h.
#pragma once

#include <sinew/motion/skinned/joined_rig.h>
#include <sinew/motion/skinned/skinned_skeleton.h>

namespace sinew {

// Nothing for rigs that are no person's, or whose joints hang on each other.
std::optional<JoinedRig> join_flat_rig(const Skeleton& skeleton);

// What a joined rig carries. It holds the skins that it was given; both rigs must outlive it.
struct JoinedBody {
    std::vector<Skin> skins;
    SkinnedSkeleton body;
    JoinedBody(const JoinedRig& rig, const SkinnedSkeleton& file);
    JoinedBody(const JoinedBody&) = delete;
    JoinedBody& operator=(const JoinedBody&) = delete;
};
// What is asked of the file's joints, of those of the joined rig; and what was made for it, for the joints of the file.
RetargetOptions as_joined(const JoinedRig& rig, RetargetOptions options);
RetargetResult as_in_file(const JoinedRig& rig, const Skeleton& skeleton, RetargetResult result);

}  // namespace sinew
