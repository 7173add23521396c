// Taking shapes: one face's blend shapes on another of the same connectivity. Data flow: two Characters → *here*
// (morph/delta_transfer.h) → the first with the shapes of the second.
#pragma once

#include <sinew/character/character.h>

namespace sinew {

struct TakenShapes {
    size_t shapes = 0, meshes = 0;
    size_t clips = 0;  // expression clips that came along
};
// Meshes are matched by their triangles, which must be the same, in the same order. Shapes that the mesh already has by
// name stay as they are. The source's clips of its face come along where the character has none of that name. Fails
// where no mesh matches, and says what differs.
Result<TakenShapes> take_shapes(Character& character, const Character& from);

}  // namespace sinew
