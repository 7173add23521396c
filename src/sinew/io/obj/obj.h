// Wavefront OBJ with its MTL materials: reading and writing.
// Data flow: text ⇄ Character (one mesh group per object or group, one primitive per material).
#pragma once

#include <sinew/io/read.h>
#include <sinew/io/write.h>

namespace sinew {

// Polygons are split into triangles; corners with equal position, UV and normal become one vertex. Materials through
// options.resources; a missing .mtl is a warning.
Result<Character> read_obj(SharedBytes file, const ReadOptions& options);

// The character's vertices in world space at rest, with UVs, normals, materials and an .mtl beside it.
Result<std::vector<OutputFile>> encode_obj(const Character& character, const std::filesystem::path& path);

}  // namespace sinew
