#include <sinew/image/image_type.h>

namespace sinew {
namespace {

struct ImageType {
    std::string_view mime_type, extension;
    std::string_view start;       // of every such file
    std::string_view at_eight{};  // and what follows four bytes later, where the start is not enough
};

constexpr ImageType types[] = {
    {"image/png", ".png", "\x89PNG\r\n\x1a\n"},
    {"image/jpeg", ".jpg", "\xff\xd8\xff"},
    {"image/webp", ".webp", "RIFF", "WEBP"},
    {"image/ktx2", ".ktx2", "\xabKTX 20\xbb\r\n\x1a\n"},
    {"image/gif", ".gif", "GIF8"},
    {"image/bmp", ".bmp", "BM"},
    {"image/vnd-ms.dds", ".dds", "DDS "},
};

}  // namespace

std::string_view image_mime_type(ByteSpan bytes) {
    const std::string_view text = as_text(bytes);
    for (const ImageType& type : types) {
        if (!text.starts_with(type.start)) continue;
        if (type.at_eight.empty() || (text.size() >= 12 && text.substr(8).starts_with(type.at_eight)))
            return type.mime_type;
    }
    return {};
}

std::string_view image_extension(std::string_view mime_type) {
    for (const ImageType& type : types)
        if (type.mime_type == mime_type) return type.extension;
    return {};
}

}  // namespace sinew
