#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/image/decode_image.h>
#include <sinew/image/encode_png.h>
#include <sinew/image/image_type.h>

using namespace sinew;

TEST_CASE("encode_png: pixels come back exactly, and opaque pictures have no alpha in the file") {
    Random random(5);
    for (const auto& [width, height] : {std::pair(1, 1), std::pair(7, 3), std::pair(64, 33)}) {
        for (const bool opaque : {true, false}) {
            std::vector<uint8_t> rgba(static_cast<size_t>(4 * width * height));
            for (uint8_t& value : rgba) value = static_cast<uint8_t>(random.below(256));
            for (size_t i = 3; opaque && i < rgba.size(); i += 4) rgba[i] = 255;
            if (!opaque) rgba[3] = 7;
            const auto png = encode_png(width, height, rgba);
            REQUIRE(png);
            CHECK(image_mime_type(*png) == "image/png");
            CHECK(std::to_integer<int>((*png)[25]) == (opaque ? 2 : 6));  // colour type in IHDR
            const auto decoded = decode_image(*png);
            REQUIRE(decoded);
            CHECK(decoded->width == width);
            CHECK(decoded->height == height);
            CHECK(decoded->rgba == rgba);
            CHECK(*encode_png(width, height, rgba) == *png);
        }
    }
    CHECK_FALSE(encode_png(0, 0, {}));
}
