// What a glTF says beyond a Character, as far as FBX has a place for it: further UV sets.
// Data flow: the character's source document → *here* → geometry_out.cpp.
#pragma once

#include <sinew/character/character.h>
#include <vector>

namespace sinew::fbx {

// UV set `set` ≥ 1 of a primitive that came from a glTF and has its vertices still; else nothing.
std::vector<Vec2> further_uvs(const Character& character, const MeshGroup& mesh, const Primitive& primitive, int set);

}  // namespace sinew::fbx
