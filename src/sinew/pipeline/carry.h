// Carry: joints that hang beside the body instead of on it — a prop, the cloth of a skirt, feet that IK used to move —
// go along with the part of the body they are at. Data flow: retargeted Clip → *here* → animate.cpp.
#pragma once

#include <sinew/character/character.h>

namespace sinew {

// For a person's clip. Joints of the hips' own skin that move skin or a mesh and are neither above nor below the hips
// get keys that keep them where they are on the nearest bone that the clip turns. `rest`: the character's skeleton in
// the pose the clip was made for.
void carry_along(const Character& character, const Skeleton& rest, Clip& clip);

}  // namespace sinew
