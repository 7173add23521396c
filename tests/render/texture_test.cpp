#include <cstdio>  // jpeglib.h needs it before itself

#include <doctest/doctest.h>
#include <jpeglib.h>

#include <sinew/core/random.h>
#include <sinew/render/image/texture.h>
#include <sinew/render/preview.h>
#include <sinew/render/scene/colours.h>

using namespace sinew;

namespace {

Picture checker(int32_t width, int32_t height) {
    Picture picture{width, height, {}};
    for (int32_t y = 0; y < height; ++y)
        for (int32_t x = 0; x < width; ++x)
            for (int c = 0; c < 4; ++c)
                picture.rgba.push_back(c == 3 || (x / 4 + y / 4) % 2 == 0 ? 255 : static_cast<uint8_t>(40 * c + 20));
    return picture;
}

Bytes encode_jpeg(const Picture& picture, bool progressive) {
    jpeg_compress_struct info{};
    jpeg_error_mgr errors{};
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    unsigned char* data = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &data, &size);
    info.image_width = static_cast<JDIMENSION>(picture.width);
    info.image_height = static_cast<JDIMENSION>(picture.height);
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 95, TRUE);
    if (progressive) jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    std::vector<unsigned char> row(static_cast<size_t>(picture.width) * 3);
    while (info.next_scanline < info.image_height) {
        for (size_t x = 0; x < static_cast<size_t>(picture.width); ++x)
            for (size_t c = 0; c < 3; ++c)
                row[3 * x + c] = picture.rgba[4 * (info.next_scanline * static_cast<size_t>(picture.width) + x) + c];
        unsigned char* rows[1] = {row.data()};
        jpeg_write_scanlines(&info, rows, 1);
    }
    jpeg_finish_compress(&info);
    const auto* first = reinterpret_cast<const std::byte*>(data);
    Bytes bytes(first, first + size);
    free(data);
    jpeg_destroy_compress(&info);
    return bytes;
}

std::vector<Bytes> one_of_each() {
    const Picture picture = checker(24, 16);
    return {*encode_png(picture), *encode_webp(std::span(&picture, 1), 100.0f), encode_jpeg(picture, false),
            encode_jpeg(picture, true)};
}

}  // namespace

TEST_CASE("texture: JPEG decodes to its size and colours") {
    const Picture picture = checker(24, 16);
    for (const bool progressive : {false, true}) {
        const auto decoded = decode_image(encode_jpeg(picture, progressive));
        REQUIRE(decoded);
        CHECK(decoded->width == 24);
        CHECK(decoded->height == 16);
        double sum = 0.0;
        for (size_t i = 0; i < picture.rgba.size(); ++i) sum += std::abs(int{picture.rgba[i]} - int{decoded->rgba[i]});
        CHECK(sum / static_cast<double>(picture.rgba.size()) < 6.0);
    }
}

TEST_CASE("texture: every prefix of an image is an error or an image of the right size, never a crash") {
    for (const Bytes& whole : one_of_each()) {
        for (size_t count = 0; count < whole.size(); ++count) {
            const auto decoded = decode_image(ByteSpan(whole).first(count));
            if (decoded) CHECK(decoded->rgba.size() == size_t{24} * 16 * 4);
        }
    }
}

TEST_CASE("texture: changed bytes are survived") {
    Random random(11);
    for (const Bytes& whole : one_of_each()) {
        for (int i = 0; i < 2000; ++i) {
            Bytes damaged = whole;
            damaged[random.below(damaged.size())] = static_cast<std::byte>(random.below(256));
            const auto decoded = decode_image(damaged);
            if (decoded)
                CHECK(decoded->rgba.size() ==
                      static_cast<size_t>(decoded->width) * static_cast<size_t>(decoded->height) * 4);
        }
    }
}

TEST_CASE("texture: an image that claims to be huge is refused before memory is asked for") {
    Bytes png = *encode_png(checker(24, 16));
    for (size_t at : {16, 20}) {  // width and height in the header: 0x00100000 each
        png[at] = std::byte{0};
        png[at + 1] = std::byte{0x10};
    }
    CHECK_FALSE(decode_image(png));
    CHECK_FALSE(decode_image(as_byte_span("no image at all")));
}

TEST_CASE("texture: bilinear in linear light, repeating") {
    const Texture texture(ImagePixels{2, 1, {0, 0, 0, 255, 255, 255, 255, 0}});
    CHECK(texture.sample({0.25f, 0.5f}, 0.0f).norm() == doctest::Approx(1.0f));  // black, opaque
    CHECK(texture.sample({0.75f, 0.5f}, 0.0f).head<3>().minCoeff() == doctest::Approx(1.0f));
    const Vec4 middle = texture.sample({0.5f, 0.5f}, 0.0f);
    CHECK(middle.x() == doctest::Approx(0.5f));
    CHECK(middle.w() == doctest::Approx(0.5f));
    CHECK((texture.sample({-0.6f, 3.1f}, 0.0f) - texture.sample({0.4f, 0.1f}, 0.0f)).norm() < 1e-5f);
    CHECK(texture.sample({NAN, INFINITY}, 0.0f).allFinite());
    // The whole picture in one texel: half the light, which sRGB writes as 188.
    CHECK(texture.sample({0.1f, 0.1f}, 9.0f).x() == doctest::Approx(linear_from_srgb8(188)));
}

TEST_CASE("palette: sRGB there and back, a tone curve that rises, colours that stay apart") {
    for (int i = 0; i < 256; ++i)
        CHECK(255.0f * srgb_from_linear(linear_from_srgb8(static_cast<uint8_t>(i))) ==
              doctest::Approx(i).epsilon(1e-4));
    float last = -1.0f;
    for (int i = 0; i <= 400; ++i) {
        const float value = tone_curve(Vec3::Constant(0.01f * static_cast<float>(i))).x();
        CHECK(value > last);
        CHECK(value < 1.0f);
        last = value;
    }
    CHECK(tone_curve(Vec3(0.5f, 0.2f, 0.1f)) == Vec3(0.5f, 0.2f, 0.1f));
    const auto colors = joint_colors(60);
    for (size_t i = 0; i + 1 < colors.size(); ++i) {
        float nearest = INFINITY;
        for (size_t k = i + 1; k < std::min(i + 4, colors.size()); ++k)
            nearest = std::min(nearest, (colors[i] - colors[k]).norm());
        CHECK(nearest > 0.1f);
    }
    CHECK(heat_color(1.0f).x() > 4.0f * heat_color(1.0f).z());
    CHECK(heat_color(0.0f).maxCoeff() < 0.1f);
}
