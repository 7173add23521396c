// Canvas: a white sheet to draw lines, dots and small capitals on. Data flow: plot.h → *here* → Picture.
#pragma once

#include <sinew/render/preview.h>
#include <string_view>

namespace sinew {

struct Ink {
    float red = 0.0f, green = 0.0f, blue = 0.0f, strength = 1.0f;  // 0 to 1
};

// Places are in pixels from the top left corner. What lies outside is left out.
class Canvas {
public:
    Canvas(int32_t width, int32_t height);
    void line(Vec2 from, Vec2 to, float thickness, const Ink& ink);
    void dot(Vec2 at, float diameter, const Ink& ink) { line(at, at, diameter, ink); }
    // Letters, digits and - . , : / + _ in cells of 8 by 12 pixels; all else is a gap. Small letters come out as
    // capitals.
    void text(Vec2 top_left, std::string_view words, const Ink& ink);
    Picture picture() const;

private:
    int32_t width_, height_;
    std::vector<float> rgb_;
};

}  // namespace sinew
