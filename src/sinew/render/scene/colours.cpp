#include <sinew/render/scene/colours.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

float linear_from_srgb(float encoded) {
    return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

float srgb_from_linear(float linear) {
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

float linear_from_srgb8(uint8_t encoded) {
    static const std::array<float, 256> table = [] {
        std::array<float, 256> values;
        for (size_t i = 0; i < values.size(); ++i) values[i] = linear_from_srgb(static_cast<float>(i) / 255.0f);
        return values;
    }();
    return table[encoded];
}

Vec3 linear_from_srgb(const Vec3& encoded) {
    return {linear_from_srgb(encoded.x()), linear_from_srgb(encoded.y()), linear_from_srgb(encoded.z())};
}

Vec3 linear_from_oklch(float lightness, float chroma, float hue) {
    const float a = chroma * std::cos(hue);
    const float b = chroma * std::sin(hue);
    const auto cube = [](float x) { return x * x * x; };
    const float l = cube(lightness + 0.3963377774f * a + 0.2158037573f * b);
    const float m = cube(lightness - 0.1055613458f * a - 0.0638541728f * b);
    const float s = cube(lightness - 0.0894841775f * a - 1.2914855480f * b);
    const Vec3 rgb(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
                   -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
                   -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s);
    return rgb.cwiseMax(0.0f).cwiseMin(1.0f);
}

std::vector<Vec3> joint_colors(size_t count) {
    constexpr float golden_angle = 2.39996323f;
    constexpr std::array<float, 3> lightness = {0.72f, 0.56f, 0.84f};
    constexpr std::array<float, 3> chroma = {0.17f, 0.19f, 0.13f};
    std::vector<Vec3> colors(count);
    for (size_t i = 0; i < count; ++i) {
        const float hue = 0.5f + golden_angle * static_cast<float>(i % 4096);
        colors[i] = linear_from_oklch(lightness[i % 3], chroma[i % 3], hue);
    }
    return colors;
}

Vec3 heat_color(float weight) {
    struct Stop {
        float at;
        Vec3 srgb;
    };
    static const std::array<Stop, 7> stops = {{{0.0f, {0.19f, 0.21f, 0.29f}},
                                               {0.02f, {0.17f, 0.22f, 0.50f}},
                                               {0.25f, {0.10f, 0.47f, 0.87f}},
                                               {0.5f, {0.16f, 0.75f, 0.42f}},
                                               {0.7f, {0.85f, 0.85f, 0.18f}},
                                               {0.85f, {0.97f, 0.56f, 0.12f}},
                                               {1.0f, {0.86f, 0.12f, 0.12f}}}};
    const float w = std::clamp(weight, 0.0f, 1.0f);
    size_t i = 1;
    while (i + 1 < stops.size() && stops[i].at < w) ++i;
    const float u = (w - stops[i - 1].at) / (stops[i].at - stops[i - 1].at);
    return linear_from_srgb(Vec3((1.0f - u) * stops[i - 1].srgb + u * stops[i].srgb));
}

Vec3 tone_curve(const Vec3& linear) {
    constexpr float start = 0.8f;
    constexpr float room = 1.0f - start;
    const Vec3 color = linear.cwiseMax(0.0f);
    const float peak = color.maxCoeff();
    if (!(peak > start)) return color;
    // A hyperbola with slope 1 at `start` and asymptote 1.
    const float compressed = 1.0f - room * room / (peak + room - start);
    const float bleach = 1.0f - 1.0f / (0.2f * (peak - compressed) + 1.0f);
    return (color * (compressed / peak)) * (1.0f - bleach) + Vec3::Constant(compressed * bleach);
}

}  // namespace sinew
