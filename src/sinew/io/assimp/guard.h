// What stands between assimp and broken files: counts that no file of that size can hold, and its messages in words
// that help. Data flow: bytes → *here* → assimp.cpp.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <string>
#include <string_view>

namespace sinew {

// Every vertex and face takes at least a byte. assimp allocates what a PLY or OFF header promises, and works through
// it, before it looks at the rest.
Result<void> check_counts(ByteSpan file, std::string_view format);

// What went wrong by assimp's words, and what to do about it.
std::string explain_assimp(std::string_view words);

}  // namespace sinew
