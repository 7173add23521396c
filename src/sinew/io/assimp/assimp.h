// Everything else through assimp: Collada, PLY, STL, OFF. Reading only, best effort.
// Data flow: bytes → assimp's scene → Character.
#pragma once

#include <sinew/io/read.h>

namespace sinew {

// Whether assimp is asked for files of this extension.
bool assimp_reads(std::string_view format);

// Converts to +Y up and metres where the file states its axes and units.
Result<Character> read_with_assimp(SharedBytes file, std::string_view format, const ReadOptions& options);

}  // namespace sinew
