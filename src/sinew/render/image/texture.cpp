#include <sinew/render/image/texture.h>

#include <sinew/render/scene/colours.h>
#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

uint8_t to_srgb8(float linear) {
    return static_cast<uint8_t>(std::lround(255.0f * std::clamp(srgb_from_linear(linear), 0.0f, 1.0f)));
}

ImagePixels half_size(const ImagePixels& image) {
    ImagePixels half{.width = std::max(1, image.width / 2), .height = std::max(1, image.height / 2), .rgba = {}};
    half.rgba.resize(static_cast<size_t>(half.width) * static_cast<size_t>(half.height) * 4);
    for (int32_t y = 0; y < half.height; ++y) {
        for (int32_t x = 0; x < half.width; ++x) {
            Vec4 sum = Vec4::Zero();
            for (int32_t k = 0; k < 4; ++k) {
                const size_t sx = static_cast<size_t>(std::min(2 * x + (k & 1), image.width - 1));
                const size_t sy = static_cast<size_t>(std::min(2 * y + (k >> 1), image.height - 1));
                const uint8_t* p = &image.rgba[4 * (sy * static_cast<size_t>(image.width) + sx)];
                sum += Vec4(linear_from_srgb8(p[0]), linear_from_srgb8(p[1]), linear_from_srgb8(p[2]),
                            static_cast<float>(p[3]));
            }
            sum *= 0.25f;
            uint8_t* out =
                &half.rgba[4 * (static_cast<size_t>(y) * static_cast<size_t>(half.width) + static_cast<size_t>(x))];
            for (int c = 0; c < 3; ++c) out[c] = to_srgb8(sum[c]);
            out[3] = static_cast<uint8_t>(std::lround(sum[3]));
        }
    }
    return half;
}

// Position in [0, count) of a repeating coordinate; anything that is not finite counts as 0.
float wrap(float coordinate, int32_t count) {
    const float u = coordinate - std::floor(coordinate);
    return std::isfinite(u) ? std::min(u, 0.99999994f) * static_cast<float>(count) : 0.0f;
}

}  // namespace

Texture::Texture(ImagePixels base) {
    levels_.push_back(std::move(base));
    while (levels_.back().width > 1 || levels_.back().height > 1) levels_.push_back(half_size(levels_.back()));
}

Vec4 Texture::sample_level(const ImagePixels& image, const Vec2& uv) const {
    const float x = wrap(uv.x(), image.width) - 0.5f;
    const float y = wrap(uv.y(), image.height) - 0.5f;
    const float fx = x - std::floor(x);
    const float fy = y - std::floor(y);
    const auto texel = [&](int32_t column, int32_t row) {
        const size_t cx = static_cast<size_t>((column + image.width) % image.width);
        const size_t cy = static_cast<size_t>((row + image.height) % image.height);
        const uint8_t* p = &image.rgba[4 * (cy * static_cast<size_t>(image.width) + cx)];
        return Vec4(linear_from_srgb8(p[0]), linear_from_srgb8(p[1]), linear_from_srgb8(p[2]),
                    static_cast<float>(p[3]) / 255.0f);
    };
    const int32_t column = static_cast<int32_t>(std::floor(x));
    const int32_t row = static_cast<int32_t>(std::floor(y));
    const Vec4 top = (1.0f - fx) * texel(column, row) + fx * texel(column + 1, row);
    const Vec4 bottom = (1.0f - fx) * texel(column, row + 1) + fx * texel(column + 1, row + 1);
    return (1.0f - fy) * top + fy * bottom;
}

Vec4 Texture::sample(const Vec2& uv, float level) const {
    const float last = static_cast<float>(levels_.size() - 1);
    const float clamped = level > 0.0f ? std::min(level, last) : 0.0f;
    const size_t below = static_cast<size_t>(clamped);
    const float blend = clamped - static_cast<float>(below);
    const Vec4 sharp = sample_level(levels_[below], uv);
    if (blend < 0.01f || below + 1 >= levels_.size()) return sharp;
    return (1.0f - blend) * sharp + blend * sample_level(levels_[below + 1], uv);
}

}  // namespace sinew
