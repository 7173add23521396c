#include <png.h>

#include <sinew/core/check.h>
#include <sinew/image/encode_png.h>
#include <csetjmp>
#include <vector>

namespace sinew {

namespace {

void append(png_structp png, png_bytep data, size_t count) {
    auto& out = *static_cast<Bytes*>(png_get_io_ptr(png));
    const auto* first = reinterpret_cast<const std::byte*>(data);
    out.insert(out.end(), first, first + count);
}

bool is_opaque(std::span<const uint8_t> rgba) {
    for (size_t i = 3; i < rgba.size(); i += 4)
        if (rgba[i] != 255) return false;
    return true;
}

// libpng leaves this function by longjmp on an error, so no object in it has a destructor.
bool run_png(png_structp png, png_infop info, int32_t width, int32_t height, std::span<const uint8_t> rgba, Bytes& out,
             std::vector<uint8_t>& row) {
    if (setjmp(png_jmpbuf(png))) return false;
    const bool opaque = is_opaque(rgba);
    const size_t columns = static_cast<size_t>(width), channels = opaque ? 3 : 4;
    row.resize(columns * channels);
    png_set_write_fn(png, &out, append, [](png_structp) {});
    png_set_compression_level(png, 9);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8,
                 opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (size_t y = 0; y < static_cast<size_t>(height); ++y) {
        for (size_t x = 0; x < columns; ++x)
            for (size_t c = 0; c < channels; ++c) row[channels * x + c] = rgba[4 * (y * columns + x) + c];
        png_write_row(png, row.data());
    }
    png_write_end(png, info);
    return true;
}

}  // namespace

Result<Bytes> encode_png(int32_t width, int32_t height, std::span<const uint8_t> rgba) {
    SINEW_CHECK(width >= 0 && height >= 0 &&
                rgba.size() == 4 * static_cast<size_t>(width) * static_cast<size_t>(height));
    png_structp png = png_create_write_struct(
        PNG_LIBPNG_VER_STRING, nullptr, [](png_structp p, png_const_charp) { png_longjmp(p, 1); },
        [](png_structp, png_const_charp) {});
    png_infop info = png ? png_create_info_struct(png) : nullptr;
    Bytes out;
    std::vector<uint8_t> row;
    const bool done = info && run_png(png, info, width, height, rgba, out, row);
    if (png) png_destroy_write_struct(&png, info ? &info : nullptr);
    if (!done) return fail(ErrorCode::io, "the PNG could not be encoded; choose a smaller picture");
    return out;
}

}  // namespace sinew
