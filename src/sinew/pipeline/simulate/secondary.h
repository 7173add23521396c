// Secondary motion: spring bones baked into the keys of a clip. Data flow: Character, its clip → *here* → Clip.
#pragma once

#include <sinew/character/character.h>
#include <sinew/physics/spring_bones/spring_bones.h>

namespace sinew {

// The file's own spring bones; where it has none, those that names tell.
SpringBones spring_bones_of(const Character& character);

// Turns the bones of the clip as they swing: in steps of 1/60 s, after a round of the clip to get going, with keys at
// the clip's own rate. Returns how many bones swing; 0 leaves the clip as it is.
size_t bake_spring_bones(const Character& character, const SpringBones& bones, Clip& clip);

}  // namespace sinew
