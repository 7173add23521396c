// Which file names found inside a file may be opened or written. Names in files are untrusted input.
// Data flow: a URI of a glTF, a texture of an MTL or FBX, an "mtllib" → *here* → resources.h, gltf/write/finish.cpp.
#pragma once

#include <string_view>

namespace sinew {

// True for a relative name that stays in its folder or below it: "a.png", "./textures/a b.png".
// False for an empty name; for one that starts or ends with '/'; that has a part ".." (or one that Windows takes for
// it,
// ".. " or "..."); that contains ':' (drives, addresses), a backslash, or a control character such as NUL; and for one
// that becomes any of these when it is percent-decoded, once or more often. Looks at the name alone: a link inside the
// folder that leads out of it was put there by the folder's owner.
bool is_safe_path(std::string_view name);

}  // namespace sinew
