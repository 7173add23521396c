// FBX: reading (binary and text, versions 3000 to 7700) and writing (binary, version 7500).
// Data flow: bytes → document.h → objects.h → joints, meshes, skins, shapes, materials, clips → Character;
// Character → write/ → bytes.
#pragma once

#include <sinew/io/read.h>

namespace sinew {

// Right-handed, +Y up and in metres, whatever the file's own axes and units are. What is missing or makes no sense is
// left out with a warning where something remains to show. Textures through options.resources, unless embedded.
Result<Character> read_fbx(SharedBytes file, const ReadOptions& options);

// One binary file of version 7500, in centimetres, +Y up: nodes, meshes, skins, blend shapes, materials with their
// pictures inside, and every clip as a stack of its own. Equal characters give equal bytes.
Result<std::vector<OutputFile>> encode_fbx(const Character& character, const std::filesystem::path& path);

}  // namespace sinew
