// Encoding: pictures → the bytes of an image file.
// Data flow: render/preview.h → *here* → core/file.h.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <sinew/render/preview.h>
#include <span>
#include <string_view>

namespace sinew {

// `format` is "png" for one picture, "webp" or "gif" for one or for an endless loop at `fps`. Fails on any other
// format, on no pictures, and on pictures of different sizes. The same pictures always give the same bytes. A single
// WebP is nearly lossless; a moving one is lossy.
Result<Bytes> encode_pictures(std::span<const Picture> pictures, float fps, std::string_view format);

// The same for one format each. Each picture is shown for `milliseconds`.
Result<Bytes> encode_png(const Picture& picture);
Result<Bytes> encode_webp(std::span<const Picture> pictures, float milliseconds);
Result<Bytes> encode_gif(std::span<const Picture> pictures, float milliseconds);

}  // namespace sinew
