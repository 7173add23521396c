// Soften: takes jumps out of skin weights where a bend would tear the skin. Data flow: bind_character.h → *here* →
// Character.
#pragma once

#include <sinew/character/character.h>
#include <span>

namespace sinew {

struct SoftenOptions {
    double stretch = 2.6;  // an edge may grow to this many times its length when one joint bends by a right angle
    int rounds = 12;
    int influences = 4;  // joints per vertex, at most
};

// Where two ends of an edge follow a joint so differently that it would grow more, their weights are drawn together;
// the rest stays. Vertices at one place stay equal. Meshes bound to a skin, in bind pose. Returns how many vertices
// changed.
size_t soften_weights(Character& character, const SoftenOptions& options = {});

}  // namespace sinew
