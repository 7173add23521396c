// URIs as glTF uses them: data URIs and percent-encoding.
// Data flow: "uri" of a buffer or an image → *here* → bytes, or a file's name for io/resources.h.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <string>
#include <string_view>

namespace sinew::gltf {

struct DataUri {
    std::string mime_type;
    Bytes bytes;
};
inline bool is_data_uri(std::string_view uri) {
    return uri.starts_with("data:");
}
// Base64 or percent-encoded text. Errors carry no `where`.
Result<DataUri> decode_data_uri(std::string_view uri);

// "a%20b.png" → "a b.png"; a % that is not followed by two hexadecimal digits stays.
std::string percent_decode(std::string_view text);
std::string percent_encode(std::string_view path);

}  // namespace sinew::gltf
