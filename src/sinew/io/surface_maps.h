// Surface maps: what the formats that are not glTF say with more pictures than glTF has places for.
// Data flow: obj and fbx readers → *here* → Material's images; fbx writer ← *here*.
#pragma once

#include <sinew/character/character.h>
#include <optional>

namespace sinew {

// Adds glTF's one picture of two grey ones (roughness in green, metalness in blue) to the character's images and
// returns its number. It is as large as the larger of the two; −1 stands for white. Where both are the same picture it
// is packed already, and returned as it is. −1 where neither can be decoded.
int32_t add_surface_image(Character& character, int32_t roughness, int32_t metalness);

enum class SurfaceChannel : uint8_t { roughness = 1, metalness = 2 };  // the byte of a pixel

// One of the two as a grey picture of its own. Nothing where it cannot be decoded.
std::optional<Image> surface_channel(const Image& packed, SurfaceChannel channel);

// Bump maps are heights in some files and normals in others: normals are blue, heights grey.
bool looks_like_normals(const Image& image);

}  // namespace sinew
