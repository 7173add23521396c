// Carry: joints that hang beside the body instead of on it (a prop, a skirt's cloth, feet that an IK rig used to move)
// go along with the part of the body they touch. Data flow: retargeted Clip → *here* → retarget_skinned.cpp.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/motion/skinned/skinned_skeleton.h>

namespace sinew {

// Takes the joints of the hips' own skin that move something and are neither above nor below the hips, and gives each
// keys that keep it where it is on the nearest bone that the clip turns. `rest`: the same skeleton in the pose the clip
// was made for. `hips`: the joint that carries the body, of a creature its root. The clip moves joints only, no morphs.
// A joint called "base" stays: a plinth.
void carry_along(const SkinnedSkeleton& body, const Skeleton& rest, int32_t hips, Clip& clip);

}  // namespace sinew
