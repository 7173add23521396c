// The browser's core asks the page to decode: pictures.wasm (src/web/pictures) does, with the same decoders as everywhere.
#include <sinew/image/decode_image.h>

// The page's: the size of the picture, or false where it cannot be read; then its pixels, into room for all of them.
extern "C" {
__attribute__((import_module("sinew"), import_name("decode_picture"))) int32_t sinew_decode_picture(const void* bytes,
                                                                                                   uint32_t length,
                                                                                                   int32_t* size);
__attribute__((import_module("sinew"), import_name("take_pixels"))) void sinew_take_pixels(uint8_t* rgba);
}

namespace sinew {

Result<ImagePixels> decode_image(ByteSpan bytes) {
    int32_t size[2] = {};
    if (!sinew_decode_picture(bytes.data(), static_cast<uint32_t>(bytes.size()), size))
        return fail(ErrorCode::invalid_data, "the picture cannot be read; export the texture again");
    ImagePixels result{size[0], size[1], {}};
    result.rgba.resize(size_t(size[0]) * size_t(size[1]) * 4);
    sinew_take_pixels(result.rgba.data());
    return result;
}

}  // namespace sinew
