// Retargeting onto a body with a skin: retarget.h, and what a skin asks for around it.
// Data flow: Clip of a motion → *here* (bind_stance.h → retarget.h → carry.h) → Clip of a skinned body.
#pragma once

#include <sinew/motion/retarget.h>
#include <sinew/motion/skinned/skinned_skeleton.h>

namespace sinew {

// A motion of the very same rig is copied as it is. For any other: where the target's file rests in mid-movement, the
// clip is made for the pose its skin was bound in; then what hangs beside the body is carried along.
Result<RetargetResult> retarget_skinned(const Skeleton& source, const Clip& motion, const SkinnedSkeleton& target,
                                        const RetargetOptions& options = {});

}  // namespace sinew
