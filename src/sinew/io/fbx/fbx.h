// FBX, binary and text, versions 3000 to 7700: reading.
// Data flow: bytes → document.h → objects.h → joints, meshes, skins, shapes, materials, clips → Character.
#pragma once

#include <sinew/io/read.h>

namespace sinew {

// Right-handed, +Y up and in metres, whatever the file's own axes and units are. What is missing or makes no sense is
// left out with a warning where something remains to show. Textures through options.resources, unless embedded.
Result<Character> read_fbx(SharedBytes file, const ReadOptions& options);

}  // namespace sinew
