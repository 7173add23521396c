#include <sinew/io/gltf/uri.h>

#include <array>
#include <cstdint>

namespace sinew::gltf {
namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

constexpr std::array<int8_t, 256> make_base64_table() {
    std::array<int8_t, 256> table{};
    for (auto& entry : table) entry = -1;
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < digits.size(); ++i) table[static_cast<uint8_t>(digits[i])] = static_cast<int8_t>(i);
    return table;
}

Result<Bytes> decode_base64(std::string_view text) {
    static constexpr auto table = make_base64_table();
    while (text.ends_with('=')) text.remove_suffix(1);
    Bytes bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    uint32_t bits = 0;
    int bit_count = 0;
    for (const char c : text) {
        const int digit = table[static_cast<uint8_t>(c)];
        if (digit < 0) return fail(ErrorCode::invalid_data, "the data URI is not valid base64; export the file again");
        bits = (bits << 6 | static_cast<uint32_t>(digit)) & 0xffffff;
        bit_count += 6;
        if (bit_count < 8) continue;
        bit_count -= 8;
        bytes.push_back(static_cast<std::byte>(bits >> bit_count));
    }
    return bytes;
}

}  // namespace

Result<DataUri> decode_data_uri(std::string_view uri) {
    const size_t comma = uri.find(',');
    if (comma == std::string_view::npos)
        return fail(ErrorCode::invalid_data, "the data URI has no comma, so no data; export the file again");
    std::string_view header = uri.substr(5, comma - 5);
    const std::string_view payload = uri.substr(comma + 1);
    DataUri result;
    const bool base64 = header.ends_with(";base64");
    result.mime_type = std::string(header.substr(0, header.find(';')));
    if (base64) {
        SINEW_TRY(result.bytes, decode_base64(payload));
    } else {
        const std::string text = percent_decode(payload);
        const ByteSpan bytes = as_byte_span(text);
        result.bytes.assign(bytes.begin(), bytes.end());
    }
    return result;
}

std::string percent_decode(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
            result += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
            i += 2;
        } else {
            result += text[i];
        }
    }
    return result;
}

std::string percent_encode(std::string_view path) {
    constexpr std::string_view plain = "-._~/!$&'()*+,;=@";
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string result;
    for (const char c : path) {
        const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (alphanumeric || plain.find(c) != std::string_view::npos) {
            result += c;
        } else {
            result += '%';
            result += digits[static_cast<uint8_t>(c) >> 4];
            result += digits[static_cast<uint8_t>(c) & 15];
        }
    }
    return result;
}

}  // namespace sinew::gltf
