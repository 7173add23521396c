// Pictures → bytes of an image file.
// Data flow: render/preview.h → *here* → core/file.h.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <sinew/render/preview.h>
#include <span>
#include <string_view>

namespace sinew {

// `format`: "png" (one picture), "webp" or "gif" (one, or several as a loop at `fps`).
Result<Bytes> encode_pictures(std::span<const Picture> pictures, float fps, std::string_view format);

}  // namespace sinew
