// A body whose meshes lost their skin: joints of a person stand inside them, and move none.
// Data flow: Character → *here* → animate.cpp, which binds the meshes to these joints.
#pragma once

#include <sinew/character/character.h>
#include <vector>

namespace sinew {

// The joints of a person are there, and no mesh hangs on them.
bool moves_no_mesh(const Character& character);

// The joints to bind to, where the meshes stand as the joints do: the hips and all that hangs on them. Empty for every
// other character.
std::vector<int32_t> find_unbound_body(const Character& character);

}  // namespace sinew
