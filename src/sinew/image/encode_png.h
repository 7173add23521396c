// Pixels → PNG. The one PNG writer.
// Data flow: render/preview.h, sample/paint.h → *here* → bytes of a .png file.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <cstdint>
#include <span>

namespace sinew {

// 8-bit sRGB, RGBA with straight alpha, rows from the top: 4 · width · height bytes. Alpha is left out of the file when
// every pixel is opaque. The same pixels give the same bytes with one version of zlib; there are no time stamps.
Result<Bytes> encode_png(int32_t width, int32_t height, std::span<const uint8_t> rgba);

}  // namespace sinew
