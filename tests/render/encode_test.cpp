#include <doctest/doctest.h>
#include <gif_lib.h>
#include <webp/demux.h>

#include <sinew/core/random.h>
#include <sinew/render/image/quantize.h>
#include <sinew/render/image/texture.h>
#include <sinew/render/preview.h>
#include <cstring>

using namespace sinew;

namespace {

// A gradient with a bright square that moves from picture to picture.
Picture test_picture(int32_t width, int32_t height, int32_t step) {
    Picture picture{width, height, {}};
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) {
            const bool square = x >= 5 * step && x < 5 * step + 12 && y > 10 && y < 22;
            picture.rgba.push_back(square ? 230 : static_cast<uint8_t>(180 + 50 * y / height));
            picture.rgba.push_back(square ? 60 : static_cast<uint8_t>(180 + 50 * y / height));
            picture.rgba.push_back(square ? 40 : static_cast<uint8_t>(190 + 50 * x / width));
            picture.rgba.push_back(255);
        }
    }
    return picture;
}

std::vector<Picture> test_loop(int count) {
    std::vector<Picture> pictures;
    for (int i = 0; i < count; ++i) pictures.push_back(test_picture(64, 48, i));
    return pictures;
}

double mean_error(const Picture& picture, const std::vector<uint8_t>& rgba) {
    REQUIRE(picture.rgba.size() == rgba.size());
    double sum = 0.0;
    for (size_t i = 0; i < rgba.size(); ++i) sum += std::abs(int{picture.rgba[i]} - int{rgba[i]});
    return sum / static_cast<double>(rgba.size());
}

struct Source {
    ByteSpan bytes;
    size_t at = 0;
};

int read_some(GifFileType* gif, GifByteType* out, int count) {
    auto& source = *static_cast<Source*>(gif->UserData);
    const size_t n = std::min(static_cast<size_t>(count), source.bytes.size() - source.at);
    std::memcpy(out, source.bytes.data() + source.at, n);
    source.at += n;
    return static_cast<int>(n);
}

}  // namespace

TEST_CASE("encode: PNG comes back exactly, with and without alpha") {
    Picture picture = test_picture(37, 23, 1);
    for (const bool alpha : {false, true}) {
        if (alpha) picture.rgba[4 * 50 + 3] = 7;
        const auto bytes = encode_pictures(std::span(&picture, 1), 1.0f, "png");
        REQUIRE(bytes);
        const auto decoded = decode_image(*bytes);
        REQUIRE(decoded);
        CHECK(decoded->width == 37);
        CHECK(decoded->height == 23);
        CHECK(decoded->rgba == picture.rgba);
        CHECK(*encode_png(picture) == *bytes);
    }
}

TEST_CASE("encode: a single WebP is all but lossless") {
    const Picture picture = test_picture(64, 48, 2);
    const auto bytes = encode_pictures(std::span(&picture, 1), 1.0f, "webp");
    REQUIRE(bytes);
    const auto decoded = decode_image(*bytes);
    REQUIRE(decoded);
    CHECK(mean_error(picture, decoded->rgba) < 1.0);
}

TEST_CASE("encode: an animated WebP has its frames, its times and its endless loop") {
    const std::vector<Picture> pictures = test_loop(6);
    const auto bytes = encode_pictures(pictures, 20.0f, "webp");
    REQUIRE(bytes);
    const WebPData data{reinterpret_cast<const uint8_t*>(bytes->data()), bytes->size()};
    WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, nullptr);
    REQUIRE(decoder);
    WebPAnimInfo info;
    REQUIRE(WebPAnimDecoderGetInfo(decoder, &info));
    CHECK(info.canvas_width == 64);
    CHECK(info.canvas_height == 48);
    CHECK(info.frame_count == 6);
    CHECK(info.loop_count == 0);
    int frame = 0;
    while (WebPAnimDecoderHasMoreFrames(decoder)) {
        uint8_t* rgba = nullptr;
        int end_ms = 0;
        REQUIRE(WebPAnimDecoderGetNext(decoder, &rgba, &end_ms));
        CHECK(end_ms == 50 * (frame + 1));
        CHECK(mean_error(pictures[static_cast<size_t>(frame)], std::vector<uint8_t>(rgba, rgba + 64 * 48 * 4)) < 4.0);
        ++frame;
    }
    CHECK(frame == 6);
    WebPAnimDecoderDelete(decoder);
}

TEST_CASE("encode: a GIF decodes to its frames, and what stands still does not flicker") {
    const std::vector<Picture> pictures = test_loop(5);
    const auto bytes = encode_pictures(pictures, 20.0f, "gif");
    REQUIRE(bytes);
    Source source{*bytes};
    int error = 0;
    GifFileType* gif = DGifOpen(&source, read_some, &error);
    REQUIRE(gif);
    REQUIRE(DGifSlurp(gif) == GIF_OK);
    CHECK(gif->SWidth == 64);
    CHECK(gif->SHeight == 48);
    REQUIRE(gif->ImageCount == 5);
    std::vector<uint8_t> canvas(64 * 48 * 4, 255), before;
    for (int f = 0; f < gif->ImageCount; ++f) {
        const SavedImage& image = gif->SavedImages[f];
        GraphicsControlBlock control{};
        REQUIRE(DGifSavedExtensionToGCB(gif, f, &control) == GIF_OK);
        CHECK(control.DelayTime == 5);
        for (int y = 0; y < image.ImageDesc.Height; ++y) {
            for (int x = 0; x < image.ImageDesc.Width; ++x) {
                const int entry = image.RasterBits[y * image.ImageDesc.Width + x];
                if (entry == control.TransparentColor) continue;
                const GifColorType& color = gif->SColorMap->Colors[entry];
                uint8_t* out =
                    &canvas[4 * static_cast<size_t>((y + image.ImageDesc.Top) * 64 + x + image.ImageDesc.Left)];
                out[0] = color.Red;
                out[1] = color.Green;
                out[2] = color.Blue;
            }
        }
        CHECK(mean_error(pictures[static_cast<size_t>(f)], canvas) < 3.0);
        // Rows without the square are the same in all frames.
        if (!before.empty()) CHECK(std::equal(canvas.begin(), canvas.begin() + 64 * 10 * 4, before.begin()));
        before = canvas;
    }
    DGifCloseFile(gif, &error);
}

TEST_CASE("encode: wrong requests are refused") {
    const std::vector<Picture> pictures = test_loop(2);
    CHECK_FALSE(encode_pictures({}, 20.0f, "png"));
    CHECK_FALSE(encode_pictures(pictures, 20.0f, "png"));
    CHECK_FALSE(encode_pictures(pictures, 0.0f, "webp"));
    CHECK_FALSE(encode_pictures(pictures, 20.0f, "bmp"));
    Picture short_of_pixels = pictures[0];
    short_of_pixels.rgba.pop_back();
    CHECK_FALSE(encode_pictures(std::span(&short_of_pixels, 1), 20.0f, "png"));
    std::vector<Picture> unequal = {pictures[0], test_picture(32, 48, 0)};
    CHECK_FALSE(encode_pictures(unequal, 20.0f, "gif"));
}

TEST_CASE("quantize: few colours are kept exactly, many are approximated") {
    Picture flags{4, 4, {}};
    for (int i = 0; i < 16; ++i)
        for (uint8_t c :
             {static_cast<uint8_t>(i % 3 * 100), static_cast<uint8_t>(200), static_cast<uint8_t>(50), uint8_t{255}})
            flags.rgba.push_back(c);
    CHECK(choose_palette(std::span(&flags, 1), 255).size() == 3);
    Random random(3);
    Picture noise{64, 64, {}};
    for (int i = 0; i < 64 * 64 * 4; ++i) noise.rgba.push_back(static_cast<uint8_t>(random.below(256)));
    const auto palette = choose_palette(std::span(&noise, 1), 255);
    CHECK(palette.size() <= 255);
    CHECK(palette.size() > 200);
    CHECK(palette == choose_palette(std::span(&noise, 1), 255));
}
