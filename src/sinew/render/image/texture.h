// Texture: a decoded picture with its mip levels, and colours looked up in it.
// Data flow: Character::images → decode_image → *here* → scene.h (cut-outs), shade.h (base colour).
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <sinew/math/types.h>
#include <cstdint>
#include <vector>

namespace sinew {

// 8-bit sRGB with straight alpha, rows from the top.
struct ImagePixels {
    int32_t width = 0;
    int32_t height = 0;
    std::vector<uint8_t> rgba;
};

constexpr size_t max_image_pixels = size_t{1} << 26;

// PNG, JPEG or WebP, told apart by their first bytes. Size is checked against max_image_pixels before allocation; any
// damage is an error, never a crash.
Result<ImagePixels> decode_image(ByteSpan bytes);

class Texture {
public:
    // Takes a decoded picture and builds its pyramid, averaging in linear light.
    explicit Texture(ImagePixels base);

    // Bilinear, repeating, linear RGBA. Level 0 is the picture itself, each further one half as large; fractions blend.
    Vec4 sample(const Vec2& uv, float level) const;
    // Texels of level 0 per unit square of UV space.
    float texels() const { return static_cast<float>(levels_[0].width) * static_cast<float>(levels_[0].height); }

private:
    Vec4 sample_level(const ImagePixels& image, const Vec2& uv) const;
    std::vector<ImagePixels> levels_;
};

}  // namespace sinew
