// Material and Image: as much of a surface's look as Sinew shows and converts. What a glTF says beyond this stays in
// the character's source document and is written back untouched.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/math/types.h>
#include <cstdint>
#include <string>

namespace sinew {

// An encoded picture (PNG, JPEG, …), never re-encoded. `uri` is set when it came from a file of its own.
struct Image {
    std::string name;
    std::string mime_type;
    std::string uri;
    SharedBytes bytes;
    int32_t source = -1;
};

enum class AlphaMode : uint8_t { opaque, mask, blend };

struct Material {
    std::string name;
    Vec4 base_color = Vec4::Ones();  // linear RGBA
    float metallic = 0.0f;
    float roughness = 0.8f;
    Vec3 emissive = Vec3::Zero();
    int32_t base_color_image = -1;  // into Character::images
    AlphaMode alpha_mode = AlphaMode::opaque;
    float alpha_cutoff = 0.5f;
    bool double_sided = false;
    int32_t source = -1;
};

}  // namespace sinew
