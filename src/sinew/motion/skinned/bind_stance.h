// Bind stance: the pose a body was bound in, for files that rest in the middle of a movement. Exporters often leave the
// joints at the first frame of an animation; the skin still knows how the body stood.
// Data flow: SkinnedSkeleton → *here* → retarget_skinned.cpp.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/motion/skinned/skinned_skeleton.h>
#include <optional>

namespace sinew {

// The skeleton with its bind pose as its rest pose. Nothing unless it is a person's, the two poses differ but agree on
// the lengths of the bones, and the bind pose stands straighter.
std::optional<Skeleton> bind_stance(const SkinnedSkeleton& body);

// Adds keys that hold the joints which the clip does not move as they are in `stance`, where `rest` differs from it.
void hold_stance(const Skeleton& rest, const Skeleton& stance, Clip& clip);

}  // namespace sinew
