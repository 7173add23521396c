// Shreds: pieces so small and so open that nobody knows what they belong to or which side is out.
// Data flow: Surface → *here* → heat_sources.cpp (both sides count alike), weights.cpp (the report).
#pragma once

#include <sinew/weights/surface/surface.h>

namespace sinew {

// A shred is a small piece with most of its vertices on open edges (after cracks were mended). Hair, feathers and
// patches are such pieces too, and heat binds them well as long as they hang on a body. So pieces count as shredded
// only if shreds make up a good part of the whole surface.
struct Shreds {
    std::vector<uint8_t> of_piece;  // 1: shredded
    size_t pieces = 0;
    double area_share = 0.0;  // of all shreds in the whole surface, whether they count or not
};
Shreds find_shreds(const Surface& surface);

}  // namespace sinew
