// Encoded picture → pixels.
// Data flow: Character::images → *here* → render/image/texture.h.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
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

// Reads PNG, JPEG and WebP. Checks the size against max_image_pixels before it allocates. Damage is an error, never a
// crash.
Result<ImagePixels> decode_image(ByteSpan bytes);

}  // namespace sinew
