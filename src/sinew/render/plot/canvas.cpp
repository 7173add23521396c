#include <sinew/render/plot/canvas.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace sinew {
namespace {

// Three by five dots a letter: a row is a digit from 0 to 7, whose bits are its dots from left to right.
struct Glyph {
    char letter;
    const char* rows;
};
constexpr Glyph glyphs[] = {
    {'0', "75557"}, {'1', "26227"}, {'2', "71747"}, {'3', "71717"}, {'4', "55711"}, {'5', "74717"}, {'6', "74757"},
    {'7', "71111"}, {'8', "75757"}, {'9', "75717"}, {'A', "25755"}, {'B', "65656"}, {'C', "34443"}, {'D', "65556"},
    {'E', "74647"}, {'F', "74644"}, {'G', "34553"}, {'H', "55755"}, {'I', "72227"}, {'J', "11152"}, {'K', "55655"},
    {'L', "44447"}, {'M', "57755"}, {'N', "65555"}, {'O', "25552"}, {'P', "65644"}, {'Q', "25563"}, {'R', "65655"},
    {'S', "34216"}, {'T', "72222"}, {'U', "55557"}, {'V', "55552"}, {'W', "55775"}, {'X', "55255"}, {'Y', "55222"},
    {'Z', "71247"}, {'-', "00700"}, {'.', "00002"}, {',', "00024"}, {':', "02020"}, {'/', "11244"}, {'+', "02720"},
    {'_', "00007"}};

const char* rows_of(char letter) {
    const char capital = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    for (const Glyph& glyph : glyphs)
        if (glyph.letter == capital) return glyph.rows;
    return "00000";
}

float distance_to_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
    const Vec2 along = b - a;
    const float length2 = along.squaredNorm();
    const float u = length2 > 0.0f ? std::clamp((p - a).dot(along) / length2, 0.0f, 1.0f) : 0.0f;
    return (p - a - u * along).norm();
}

}  // namespace

Canvas::Canvas(int32_t width, int32_t height)
    : width_(width), height_(height), rgb_(3 * static_cast<size_t>(width) * static_cast<size_t>(height), 1.0f) {}

void Canvas::line(Vec2 from, Vec2 to, float thickness, const Ink& ink) {
    if (!from.allFinite() || !to.allFinite()) return;
    const float reach = 0.5f * thickness + 1.0f;
    const auto pixel = [](float value, int32_t most) {
        return static_cast<int32_t>(std::clamp(std::floor(value), 0.0f, static_cast<float>(most - 1)));
    };
    const int32_t x0 = pixel(std::min(from.x(), to.x()) - reach, width_),
                  x1 = pixel(std::max(from.x(), to.x()) + reach, width_);
    const int32_t y0 = pixel(std::min(from.y(), to.y()) - reach, height_),
                  y1 = pixel(std::max(from.y(), to.y()) + reach, height_);
    for (int32_t y = y0; y <= y1; ++y)
        for (int32_t x = x0; x <= x1; ++x) {
            const Vec2 middle(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
            const float covered =
                ink.strength * std::clamp(0.5f * thickness + 0.5f - distance_to_segment(middle, from, to), 0.0f, 1.0f);
            if (covered <= 0.0f) continue;
            float* rgb = &rgb_[3 * (static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x))];
            rgb[0] += covered * (ink.red - rgb[0]);
            rgb[1] += covered * (ink.green - rgb[1]);
            rgb[2] += covered * (ink.blue - rgb[2]);
        }
}

void Canvas::text(Vec2 top_left, std::string_view words, const Ink& ink) {
    for (size_t i = 0; i < words.size(); ++i) {
        const char* rows = rows_of(words[i]);
        for (int row = 0; row < 5; ++row)
            for (int column = 0; column < 3; ++column) {
                if (!((rows[row] - '0') >> (2 - column) & 1)) continue;
                const Vec2 at = top_left + Vec2(8.0f * static_cast<float>(i) + 2.0f * static_cast<float>(column) + 1.0f,
                                                2.0f * static_cast<float>(row) + 1.0f);
                dot(at, 2.0f, ink);
            }
    }
}

Picture Canvas::picture() const {
    Picture made{width_, height_, {}};
    made.rgba.reserve(rgb_.size() / 3 * 4);
    for (size_t i = 0; i < rgb_.size(); ++i) {
        made.rgba.push_back(static_cast<uint8_t>(std::lround(255.0f * std::clamp(rgb_[i], 0.0f, 1.0f))));
        if (i % 3 == 2) made.rgba.push_back(255);
    }
    return made;
}

}  // namespace sinew
