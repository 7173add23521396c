// All triangles of a character that are shown, as they stand at rest: what a skeleton is fitted to.
// Data flow: Character → *here* → rig/fit_skeleton.h.
#pragma once

#include <sinew/character/character.h>

namespace sinew {

struct ShownTriangles {
    std::vector<Vec3> positions;      // world space
    std::vector<uint32_t> triangles;  // three numbers of positions each
};
ShownTriangles shown_triangles(const Character& character);

}  // namespace sinew
