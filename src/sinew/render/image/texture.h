// Texture: a decoded picture with its mip levels, and colours looked up in it.
// Data flow: image/decode_image.h → *here* → surface.h (cut-outs), shade.h (base colour).
#pragma once

#include <sinew/image/decode_image.h>
#include <sinew/math/types.h>
#include <vector>

namespace sinew {

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
