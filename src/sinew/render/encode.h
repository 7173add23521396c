// Pictures → bytes of an image file.
// Data flow: render/preview.h → *here* → core/file.h.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <sinew/render/preview.h>
#include <span>
#include <string_view>

namespace sinew {

// `format`: "png" (one picture), "webp" or "gif" (one, or several as an endless loop at `fps`). All pictures have the
// same size. Deterministic: no time stamps, no threads. A single WebP is all but lossless, a moving one lossy.
Result<Bytes> encode_pictures(std::span<const Picture> pictures, float fps, std::string_view format);

// The same, one format each. `milliseconds` is how long one picture is shown.
Result<Bytes> encode_png(const Picture& picture);
Result<Bytes> encode_webp(std::span<const Picture> pictures, float milliseconds);
Result<Bytes> encode_gif(std::span<const Picture> pictures, float milliseconds);

}  // namespace sinew
