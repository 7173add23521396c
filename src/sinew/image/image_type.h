// What kind of picture some bytes are, by their first few. The one place that knows the signatures.
// Data flow: encoded bytes → *here* → io (MIME types, names of files), image/decode_image.h (which decoder).
#pragma once

#include <sinew/core/bytes.h>
#include <string_view>

namespace sinew {

// "image/png", "image/jpeg", "image/webp", "image/ktx2", "image/gif", "image/bmp" or "image/vnd-ms.dds"; empty for
// anything else.
std::string_view image_mime_type(ByteSpan bytes);

// The usual extension of such a file: ".jpg" for "image/jpeg". Empty for a type that is not among those above.
std::string_view image_extension(std::string_view mime_type);

}  // namespace sinew
