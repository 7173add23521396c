// What a file says of a body beside its shape: which way is up, and where the face is.
// Data flow: Character → *here* → RigOptions → rig/fit_skeleton.h.
#pragma once

#include <sinew/character/character.h>
#include <sinew/rig/fit_skeleton.h>
#include <string_view>

namespace sinew {

// Whether a name of a material or mesh is that of a part of a face: "Eye_White", "Wolf3D_Teeth", "beak.001".
bool names_face(std::string_view name);

// The options with what the file says added where they say nothing: glTF, FBX and Collada say which way is up; names of
// materials, meshes and nodes say what is an eye, a nose or a beak.
RigOptions as_file_says(const Character& character, RigOptions options);

}  // namespace sinew
