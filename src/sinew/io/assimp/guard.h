// Guard: what stands between assimp and broken files. Each check refuses what made assimp crash or exhaust the memory.
// Data flow: bytes → *here* → assimp.cpp; assimp's messages → *here* → words that help.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/file.h>
#include <sinew/core/result.h>
#include <string>
#include <string_view>

namespace sinew {

// To be asked before assimp sees the file. Calls the one below that belongs to the format.
Result<void> check_for_assimp(ByteSpan file, std::string_view format, const Limits& limits);

// PLY and OFF: assimp allocates what the header promises, and works through it, before it looks at the rest. Every
// vertex and face takes at least a byte. OFF: faces whose vertices do not exist.
Result<void> check_counts(ByteSpan file, std::string_view format);

// Collada: elements and nodes nested too deep, nodes that contain themselves or multiply through <instance_node>,
// counts that the file cannot hold, and skin weights of joints that do not exist.
Result<void> check_collada(ByteSpan file, const Limits& limits);

// What went wrong by assimp's words, and what to do about it.
std::string explain_assimp(std::string_view words);

}  // namespace sinew
