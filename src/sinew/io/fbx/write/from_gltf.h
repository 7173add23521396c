// What a glTF says beyond a Character, as far as FBX has a place for it: maps of normals and light, further UV sets.
// Data flow: the character's source document → *here* → materials_out.cpp, geometry_out.cpp.
#pragma once

#include <sinew/character/character.h>
#include <vector>

namespace sinew::fbx {

// Pictures of the character; −1 where the material has none, or did not come from a glTF.
int32_t normal_image(const Character& character, const Material& material);
int32_t emissive_image(const Character& character, const Material& material);

// UV set `set` ≥ 1 of a primitive that came from a glTF and has its vertices still; else nothing.
std::vector<Vec2> further_uvs(const Character& character, const MeshGroup& mesh, const Primitive& primitive, int set);

}  // namespace sinew::fbx
