#include <sinew/image/decode_image.h>
#include <sinew/image/encode_png.h>
#include <sinew/io/surface_maps.h>
#include <algorithm>

namespace sinew {
namespace {

std::optional<ImagePixels> pixels_of(const Image* image) {
    if (image == nullptr) return std::nullopt;
    auto pixels = decode_image(image->bytes.view);
    return pixels ? std::optional(*std::move(pixels)) : std::nullopt;
}

// The red of the pixel at the same place of a picture of another size; grey pictures have it in all channels.
uint8_t red_at(const ImagePixels& from, size_t x, size_t y, size_t width, size_t height) {
    const size_t column = x * size_t(from.width) / width, row = y * size_t(from.height) / height;
    return from.rgba[4 * (row * size_t(from.width) + column)];
}

std::optional<Image> as_png(std::string name, const ImagePixels& pixels) {
    auto bytes = encode_png(pixels.width, pixels.height, pixels.rgba);
    if (!bytes) return std::nullopt;
    Image image;
    image.name = std::move(name);
    image.mime_type = "image/png";
    image.bytes = SharedBytes::own(*std::move(bytes));
    return image;
}

}  // namespace

int32_t add_surface_image(Character& character, int32_t roughness, int32_t metalness) {
    if (roughness == metalness) return roughness;
    const auto image = [&](int32_t i) { return i >= 0 ? &character.images[size_t(i)] : nullptr; };
    const std::optional<ImagePixels> rough = pixels_of(image(roughness)), metal = pixels_of(image(metalness));
    if (!rough && !metal) return -1;
    ImagePixels packed;
    packed.width = std::max(rough ? rough->width : 0, metal ? metal->width : 0);
    packed.height = std::max(rough ? rough->height : 0, metal ? metal->height : 0);
    const auto width = size_t(packed.width), height = size_t(packed.height);
    packed.rgba.assign(4 * width * height, 255);
    for (size_t y = 0; y < height; ++y)
        for (size_t x = 0; x < width; ++x) {
            uint8_t* pixel = &packed.rgba[4 * (y * width + x)];
            if (rough) pixel[size_t(SurfaceChannel::roughness)] = red_at(*rough, x, y, width, height);
            if (metal) pixel[size_t(SurfaceChannel::metalness)] = red_at(*metal, x, y, width, height);
        }
    auto result = as_png(image(rough ? roughness : metalness)->name + "_surface", packed);
    if (!result) return -1;
    character.images.push_back(*std::move(result));
    return int32_t(character.images.size() - 1);
}

std::optional<Image> surface_channel(const Image& packed, SurfaceChannel channel) {
    std::optional<ImagePixels> pixels = pixels_of(&packed);
    if (!pixels) return std::nullopt;
    for (size_t i = 0; i < pixels->rgba.size(); i += 4) {
        const uint8_t grey = pixels->rgba[i + size_t(channel)];
        std::fill_n(&pixels->rgba[i], 3, grey);
        pixels->rgba[i + 3] = 255;
    }
    return as_png(packed.name + (channel == SurfaceChannel::roughness ? "_roughness" : "_metalness"), *pixels);
}

bool looks_like_normals(const Image& image) {
    const std::optional<ImagePixels> pixels = pixels_of(&image);
    if (!pixels) return false;
    double red = 0, blue = 0;
    for (size_t i = 0; i < pixels->rgba.size(); i += 4) {
        red += pixels->rgba[i];
        blue += pixels->rgba[i + 2];
    }
    constexpr double clearly_bluer = 1.2;  // flat normals have twice as much blue as red
    return blue > clearly_bluer * red;
}

}  // namespace sinew
