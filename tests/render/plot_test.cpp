// Plots: what `preview --show curves` draws, by the pixels.
#include <doctest/doctest.h>

#include <sinew/render/plot/plot.h>

using namespace sinew;

namespace {

struct Colour {
    int red, green, blue;
};
Colour pixel(const Picture& picture, int32_t x, int32_t y) {
    const uint8_t* p = &picture.rgba[static_cast<size_t>(y * picture.width + x) * 4];
    return {p[0], p[1], p[2]};
}
bool is_white(const Colour& c) {
    return c.red > 250 && c.green > 250 && c.blue > 250;
}
// Red, green or blue ink, by which of the three stands out.
bool has_ink(const Colour& c, int channel) {
    const int own[3] = {c.red, c.green, c.blue};
    for (int i = 0; i < 3; ++i)
        if (i != channel && own[channel] < own[i] + 60) return false;
    return true;
}
// The mean height of one ink in a column; −1 where there is none.
double ink_height(const Picture& picture, int32_t x, int channel) {
    double sum = 0, count = 0;
    for (int32_t y = 0; y < picture.height; ++y)
        if (has_ink(pixel(picture, x, y), channel)) sum += y, count += 1;
    return count > 0 ? sum / count : -1.0;
}

}  // namespace

TEST_CASE("plot_panels: a line that rises is drawn where its numbers say, another below in its own panel") {
    std::vector<PlotPanel> panels(2);
    for (size_t p = 0; p < 2; ++p) {
        PlotLine line{"", {}, {}, {}, {}};
        for (int i = 0; i <= 100; ++i) {
            line.x.push_back(0.01 * i);
            line.y.push_back(p == 0 ? 3.0 * i : 50.0 - i);
        }
        panels[p].lines.push_back(line);
    }
    const Picture picture = plot_panels(panels, 600, 400);
    REQUIRE(picture.width == 600);
    REQUIRE(picture.height == 400);
    const auto upper = [&](int32_t x) {
        Picture half{picture.width, 190, picture.rgba};
        return ink_height(half, x, 0);
    };
    // 72 pixels on the left and 16 on the right belong to the labels.
    const double a = upper(72 + 128), b = upper(72 + 256), c = upper(72 + 384);
    CHECK(a > b);
    CHECK(b > c);
    CHECK(a - b == doctest::Approx(b - c).epsilon(0.03));  // straight
    // The lower one falls: its ink moves down from left to right.
    double left = 0, right = 0, lefts = 0, rights = 0;
    for (int32_t y = 215; y < 400; ++y) {
        if (has_ink(pixel(picture, 150, y), 0)) left += y, lefts += 1;
        if (has_ink(pixel(picture, 500, y), 0)) right += y, rights += 1;
    }
    REQUIRE(lefts > 0);
    REQUIRE(rights > 0);
    CHECK(left / lefts < right / rights);
    CHECK(is_white(pixel(picture, 595, 5)));
}
