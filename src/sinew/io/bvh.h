// Biovision BVH: a skeleton and one motion, reading and writing.
// Data flow: text ⇄ Character with a skeleton, one clip and no meshes.
#pragma once

#include <sinew/io/read.h>
#include <sinew/io/write.h>

namespace sinew {

// Position channels replace OFFSET. End sites become joints named "<parent>_end". Any channel order and any number of
// roots. Units are the file's own.
Result<Character> read_bvh(SharedBytes file, const ReadOptions& options);

// The clip sampled at its own key rate (30 per second where keys are uneven), channels Zrotation Yrotation Xrotation.
Result<std::vector<OutputFile>> encode_bvh(const Character& character, int32_t clip, const std::filesystem::path& path);

}  // namespace sinew
