// Add instances: another body's skins and mesh instances in a character that has its meshes already.
// Data flow: crowd/crowd_build.h, simulate/bodies.h (many bodies of one mesh) → *here* → Character.
#pragma once

#include <sinew/character/character.h>

namespace sinew {

// `one` shows the meshes of `together`, whose skeleton has the joints of `one` from `first_joint` on.
void add_instances(const Character& one, size_t first_joint, Character& together);

}  // namespace sinew
