// The decoder of pictures as a module of its own. Data flow: encoded bytes → *here* → pixels → the core (image/web).
#include <sinew/image/decode_image.h>
#include <cstdlib>

#define SINEW_EXPORT(name) __attribute__((export_name(name), used))

namespace sinew {
namespace {

ImagePixels& last() {
    static ImagePixels pixels;
    return pixels;
}

}  // namespace
}  // namespace sinew

extern "C" {

SINEW_EXPORT("picture_alloc") void* picture_alloc(uint32_t size) {
    return std::malloc(size);
}

// 1 where the bytes are a picture, whose size and pixels can then be asked for. Frees the bytes. A damaged picture may end
// the instance instead.
SINEW_EXPORT("picture_decode") uint32_t picture_decode(std::byte* bytes, uint32_t size) {
    auto pixels = sinew::decode_image({bytes, size});
    std::free(bytes);
    if (!pixels) return 0;
    sinew::last() = *std::move(pixels);
    return 1;
}
SINEW_EXPORT("picture_width") int32_t picture_width() {
    return sinew::last().width;
}
SINEW_EXPORT("picture_height") int32_t picture_height() {
    return sinew::last().height;
}
SINEW_EXPORT("picture_pixels") const uint8_t* picture_pixels() {
    return sinew::last().rgba.data();
}

// There are no exceptions in a browser's module: what would throw ends the instance.
[[noreturn]] void* __cxa_allocate_exception(size_t) {
    __builtin_trap();
}
[[noreturn]] void __cxa_throw(void*, void*, void (*)(void*)) {
    __builtin_trap();
}
}
