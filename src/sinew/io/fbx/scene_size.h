// Scene size: what tolerances of places in an FBX file are measured by, when it is read and when it is written.
// Data flow: Character → *here* → motion/clips.cpp, write/clips_out.cpp.
#pragma once

#include <sinew/character/character.h>

namespace sinew::fbx {

// The longest bone, or the diagonal of the largest mesh where that is longer; 1 where neither says anything.
double scene_size(const Character& character);

}  // namespace sinew::fbx
