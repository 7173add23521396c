// Writing files: Character → any format Sinew writes (glb, gltf, vrm, fbx, obj, bvh), all at once and atomically.
// Data flow: Character → *here* → files.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/file.h>
#include <sinew/core/result.h>
#include <sinew/skeleton/humanoid.h>
#include <filesystem>
#include <optional>
#include <vector>

namespace sinew {

struct WriteOptions {
    // glTF: state these roles as a VRM 1.0 humanoid, if all that VRM asks for are there.
    std::optional<HumanoidMap> humanoid = {};
    int32_t clip = 0;  // formats that hold one motion (bvh) or one moment (obj): which clip
};

// Fails when files of the path's type cannot be written: to be asked before long work.
Result<void> check_writable_type(const std::filesystem::path& path);

// The same for a skinned character: a format without joints and weights would lose them without a word.
Result<void> check_skin_type(const std::filesystem::path& path);

// The files that writing to `path` would make, in memory: the main one last.
Result<std::vector<OutputFile>> encode_character(const Character& character, const std::filesystem::path& path,
                                                 const WriteOptions& options = {});

// encode_character, then core/file.h's write_files.
Result<void> write_character(const Character& character, const std::filesystem::path& path,
                             const WriteOptions& options = {});

}  // namespace sinew
