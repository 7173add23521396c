#include <sinew/image/encode_png.h>

#include <zlib.h>

#include <sinew/core/check.h>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace sinew {

namespace {

bool is_opaque(std::span<const uint8_t> rgba) {
    for (size_t i = 3; i < rgba.size(); i += 4)
        if (rgba[i] != 255) return false;
    return true;
}

void append_number(uint32_t value, Bytes& out) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::byte>(value >> shift & 0xff));
}

// Length, type, data, and a checksum of the two in the middle.
void append_chunk(std::string_view type, std::span<const uint8_t> data, Bytes& out) {
    append_number(static_cast<uint32_t>(data.size()), out);
    const size_t checked = out.size();
    const ByteSpan name = as_byte_span(type), bytes = std::as_bytes(data);
    out.insert(out.end(), name.begin(), name.end());
    out.insert(out.end(), bytes.begin(), bytes.end());
    const auto* first = reinterpret_cast<const Bytef*>(out.data() + checked);
    append_number(static_cast<uint32_t>(crc32(0, first, static_cast<uInt>(out.size() - checked))), out);
}

// What the filters 0 to 4 predict a byte from: nothing, the pixel to the left, the one above, their mean, or the one of
// left, above and above left that is nearest to left + above − above left (Paeth's).
uint8_t predicted(int filter, int left, int above, int corner) {
    if (filter == 0) return 0;
    if (filter == 1) return static_cast<uint8_t>(left);
    if (filter == 2) return static_cast<uint8_t>(above);
    if (filter == 3) return static_cast<uint8_t>((left + above) / 2);
    const int to_left = std::abs(above - corner), to_above = std::abs(left - corner),
              to_corner = std::abs(left + above - 2 * corner);
    if (to_left <= to_above && to_left <= to_corner) return static_cast<uint8_t>(left);
    return static_cast<uint8_t>(to_above <= to_corner ? above : corner);
}

constexpr int filters = 5;

// Fills `out` with what the filter leaves of the row; returns how large its bytes are, read as signed: small ones
// compress well. The rows begin with one pixel of zeros, which is what the first pixel has to its left.
template <int filter>
size_t filter_row(std::span<const uint8_t> row, std::span<const uint8_t> above, size_t channels, uint8_t* out) {
    size_t size = 0;
    for (size_t i = channels; i < row.size(); ++i) {
        const auto rest =
            static_cast<uint8_t>(row[i] - predicted(filter, row[i - channels], above[i], above[i - channels]));
        size += static_cast<size_t>(std::abs(static_cast<int8_t>(rest)));
        out[i - channels] = rest;
    }
    return size;
}
using FilterRow = size_t (*)(std::span<const uint8_t>, std::span<const uint8_t>, size_t, uint8_t*);
constexpr std::array<FilterRow, filters> filter_rows = {filter_row<0>, filter_row<1>, filter_row<2>, filter_row<3>,
                                                        filter_row<4>};

// All rows, each behind the number of the filter that leaves least of it.
std::vector<uint8_t> filtered_rows(size_t columns, size_t rows, size_t channels, std::span<const uint8_t> rgba) {
    std::vector<uint8_t> row((columns + 1) * channels, 0), above = row, tried(columns * channels), best = tried, all;
    all.reserve(rows * (best.size() + 1));
    for (size_t y = 0; y < rows; ++y) {
        for (size_t x = 0; x < columns; ++x)
            for (size_t c = 0; c < channels; ++c) row[channels * (x + 1) + c] = rgba[4 * (y * columns + x) + c];
        size_t least = SIZE_MAX;
        uint8_t chosen = 0;
        for (size_t filter = 0; filter < filter_rows.size(); ++filter) {
            const size_t size = filter_rows[filter](row, above, channels, tried.data());
            if (size >= least) continue;
            least = size;
            chosen = static_cast<uint8_t>(filter);
            best.swap(tried);
        }
        all.push_back(chosen);
        all.insert(all.end(), best.begin(), best.end());
        above.swap(row);
    }
    return all;
}

Result<std::vector<uint8_t>> compressed(std::span<const uint8_t> data) {
    uLongf size = compressBound(static_cast<uLong>(data.size()));
    std::vector<uint8_t> out(size);
    if (compress2(out.data(), &size, data.data(), static_cast<uLong>(data.size()), Z_BEST_COMPRESSION) != Z_OK)
        return fail(ErrorCode::io, "the PNG could not be encoded; choose a smaller picture");
    out.resize(size);
    return out;
}

}  // namespace

Result<Bytes> encode_png(int32_t width, int32_t height, std::span<const uint8_t> rgba) {
    SINEW_CHECK(width >= 0 && height >= 0 &&
                rgba.size() == 4 * static_cast<size_t>(width) * static_cast<size_t>(height));
    constexpr size_t largest_chunk = 0x7fffffff;  // as the format says
    constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
    constexpr uint8_t bits = 8, rgb = 2, with_alpha = 6, perceptual = 0;
    const bool opaque = is_opaque(rgba);
    const size_t channels = opaque ? 3 : 4;
    SINEW_TRY(const std::vector<uint8_t> pixels,
              compressed(filtered_rows(static_cast<size_t>(width), static_cast<size_t>(height), channels, rgba)));
    if (width == 0 || height == 0 || pixels.size() > largest_chunk)
        return fail(ErrorCode::io, "the PNG could not be encoded; choose a picture of another size");
    Bytes header, out(as_byte_span(signature).begin(), as_byte_span(signature).end());
    append_number(static_cast<uint32_t>(width), header);
    append_number(static_cast<uint32_t>(height), header);
    for (uint8_t value : std::array<uint8_t, 5>{bits, opaque ? rgb : with_alpha, 0, 0, 0})
        header.push_back(static_cast<std::byte>(value));
    append_chunk("IHDR", {reinterpret_cast<const uint8_t*>(header.data()), header.size()}, out);
    append_chunk("sRGB", std::array<uint8_t, 1>{perceptual}, out);
    append_chunk("IDAT", pixels, out);
    append_chunk("IEND", {}, out);
    return out;
}

}  // namespace sinew
