// Skinned character: a character as retargeting sees it. Data flow: Character → *here* → motion/skinned/.
#pragma once

#include <sinew/character/character.h>
#include <sinew/motion/skinned/skinned_skeleton.h>

namespace sinew {

// The character must outlive it.
SkinnedSkeleton skinned_skeleton(const Character& character);

}  // namespace sinew
