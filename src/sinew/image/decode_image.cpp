#include <cstdio>  // jpeglib.h needs it before itself

#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>

#include <sinew/image/decode_image.h>
#include <sinew/image/image_type.h>
#include <csetjmp>
#include <string>

namespace sinew {

namespace {

tl::unexpected<Error> bad_image(std::string what) {
    return fail(ErrorCode::invalid_data, std::move(what) + "; export the texture again");
}

Result<size_t> checked_pixels(uint64_t width, uint64_t height) {
    if (width == 0 || height == 0) return bad_image("the image has no pixels");
    if (width > max_image_pixels || height > max_image_pixels || width * height > max_image_pixels)
        return fail(ErrorCode::limit_exceeded, "the image is larger than 64 megapixels; scale it down");
    return static_cast<size_t>(width * height);
}

Result<ImagePixels> decode_png(ByteSpan bytes) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()))
        return bad_image(std::string("the PNG cannot be read: ") + image.message);
    const auto pixels = checked_pixels(image.width, image.height);
    if (!pixels) {
        png_image_free(&image);
        return fail(pixels.error());
    }
    image.format = PNG_FORMAT_RGBA;
    ImagePixels result{static_cast<int32_t>(image.width), static_cast<int32_t>(image.height),
                       std::vector<uint8_t>(*pixels * 4)};
    if (!png_image_finish_read(&image, nullptr, result.rgba.data(), 0, nullptr))
        return bad_image(std::string("the PNG cannot be read: ") + image.message);
    return result;
}

struct JpegErrors {
    jpeg_error_mgr manager;  // first, so that libjpeg's pointer to it is a pointer to this
    std::jmp_buf escape;
};

[[noreturn]] void leave_jpeg(j_common_ptr info) {
    std::longjmp(reinterpret_cast<JpegErrors*>(info->err)->escape, 1);
}

// A progressive file of a few kilobytes can ask for thousands of passes over a large picture.
void limit_scans(j_common_ptr info) {
    if (info->is_decompressor && reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > 200) leave_jpeg(info);
}

// libjpeg leaves this function by longjmp on an error, so no object in it has a destructor.
bool run_jpeg(jpeg_decompress_struct& info, JpegErrors& errors, ByteSpan bytes, ImagePixels& result,
              std::vector<uint8_t>& row, bool& too_large) {
    if (setjmp(errors.escape)) return false;
    jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&info, TRUE);
    if (!checked_pixels(info.image_width, info.image_height)) {
        too_large = true;
        return false;
    }
    info.out_color_space = JCS_RGB;
    jpeg_start_decompress(&info);
    const size_t width = info.output_width;
    result.width = static_cast<int32_t>(width);
    result.height = static_cast<int32_t>(info.output_height);
    row.resize(width * 3);
    result.rgba.assign(width * info.output_height * 4, 255);
    while (info.output_scanline < info.output_height) {
        uint8_t* out = &result.rgba[info.output_scanline * width * 4];
        unsigned char* rows[1] = {row.data()};
        jpeg_read_scanlines(&info, rows, 1);
        for (size_t x = 0; x < width; ++x)
            for (size_t c = 0; c < 3; ++c) out[4 * x + c] = row[3 * x + c];
    }
    jpeg_finish_decompress(&info);
    return true;
}

Result<ImagePixels> decode_jpeg(ByteSpan bytes) {
    jpeg_decompress_struct info{};
    JpegErrors errors{};
    info.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = leave_jpeg;
    errors.manager.output_message = [](j_common_ptr) {};
    jpeg_create_decompress(&info);
    jpeg_progress_mgr progress{};
    progress.progress_monitor = limit_scans;
    info.progress = &progress;
    ImagePixels result;
    std::vector<uint8_t> row;
    bool too_large = false;
    const bool done = run_jpeg(info, errors, bytes, result, row, too_large);
    jpeg_destroy_decompress(&info);
    if (too_large) return fail(ErrorCode::limit_exceeded, "the image is larger than 64 megapixels; scale it down");
    if (!done) return bad_image("the JPEG cannot be read");
    return result;
}

Result<ImagePixels> decode_webp(ByteSpan bytes) {
    const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
    int width = 0;
    int height = 0;
    if (!WebPGetInfo(data, bytes.size(), &width, &height)) return bad_image("the WebP cannot be read");
    SINEW_TRY(const size_t pixels, checked_pixels(static_cast<uint64_t>(width), static_cast<uint64_t>(height)));
    ImagePixels result{width, height, std::vector<uint8_t>(pixels * 4)};
    if (!WebPDecodeRGBAInto(data, bytes.size(), result.rgba.data(), result.rgba.size(), width * 4))
        return bad_image("the WebP cannot be read");
    return result;
}

}  // namespace

Result<ImagePixels> decode_image(ByteSpan bytes) {
    const std::string_view type = image_mime_type(bytes);
    if (type == "image/png") return decode_png(bytes);
    if (type == "image/jpeg") return decode_jpeg(bytes);
    if (type == "image/webp") return decode_webp(bytes);
    return fail(ErrorCode::unsupported, "the texture is neither PNG nor JPEG nor WebP; convert it to one of them");
}

}  // namespace sinew
