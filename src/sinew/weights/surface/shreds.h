// Which pieces of a surface are in shreds: there neither what hangs together nor which side is out is known.
// Data flow: Surface → *here* → heat_sources.cpp (both sides count alike), weights.cpp (the report).
#pragma once

#include <sinew/weights/surface/surface.h>

namespace sinew {

// A shred is a small piece most of whose vertices lie on open edges (after cracks were mended). Hair, feathers and
// patches are that too, and do well with heat while there is a body they hang on; so pieces are called shredded only
// where shreds make up a good part of the whole.
struct Shreds {
    std::vector<uint8_t> of_piece;  // 1: shredded
    size_t pieces = 0;
    double area_share = 0.0;  // of all shreds in the whole surface, shredded or not
};
Shreds find_shreds(const Surface& surface);

}  // namespace sinew
