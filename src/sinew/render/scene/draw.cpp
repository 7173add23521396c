#include <sinew/render/scene/draw.h>

#include <sinew/core/check.h>
#include <sinew/core/parallel.h>
#include <sinew/render/scene/colours.h>
#include <sinew/render/scene/shade.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

namespace {

constexpr int max_layers = 16;  // of see-through surfaces in front of each other

ShadePoint shade_point(const Hit& hit, const Vec3& eye, const Vec4& color) {
    const Material& material = hit.surface->material;
    return {.base_color = color.head<3>(),
            .emissive = material.emissive,
            .metallic = material.metallic,
            .roughness = std::clamp(material.roughness, 0.08f, 1.0f),
            .normal = hit.normal,
            .view = (eye - hit.position).stableNormalized()};
}

// 1 on an edge of the hit triangle, 0 away from it. Lines are `width` pixels wide. They fade where triangles are so
// small that only lines would be left.
float edge_coverage(const Hit& hit, const Camera& camera, float x, float y) {
    constexpr float width = 1.1f;
    std::array<Vec3, 3> p;
    for (size_t i = 0; i < 3; ++i) {
        p[i] = camera.project(hit.surface->positions[hit.surface->triangles[size_t{hit.triangle} * 3 + i]]);
        if (p[i].z() <= 0.0f) return 0.0f;
    }
    const float area = std::abs((p[1] - p[0]).x() * (p[2] - p[0]).y() - (p[1] - p[0]).y() * (p[2] - p[0]).x());
    float nearest = INFINITY;
    float longest = 1e-6f;
    for (size_t i = 0; i < 3; ++i) {
        const Vec3 edge = p[(i + 1) % 3] - p[i];
        const float length = std::max(1e-6f, std::hypot(edge.x(), edge.y()));
        const float distance = std::abs(edge.x() * (y - p[i].y()) - edge.y() * (x - p[i].x())) / length;
        nearest = std::min(nearest, distance);
        longest = std::max(longest, length);
    }
    const float size = std::min(area / longest, std::sqrt(area));
    const float fade = std::clamp((size - 0.5f) / 5.0f, 0.15f, 1.0f);
    return nearest < 0.5f * width ? fade : 0.0f;
}

class Painter {
public:
    Painter(const Stage& stage, const DrawOptions& options) : stage_(stage), options_(options), light_(stage) {
        const int count = options.samples * options.samples;
        for (int i = 0; i < count; ++i) {
            const double x = 0.5 + 0.7548776662466927 * i, y = 0.5 + 0.5698402909980532 * i;
            offsets_.emplace_back(static_cast<float>(x - std::floor(x)), static_cast<float>(y - std::floor(y)));
        }
        footprint_ = stage.camera.pixel_size() / static_cast<float>(options.samples);
    }

    // The pixel's mean colour, display-linear. Where the surface is smooth, a quarter of the samples is enough unless
    // they see different things.
    Vec3 pixel(int32_t x, int32_t y) const {
        const size_t all = offsets_.size();
        const bool detailed = !light_.is_smooth(x, y) || (options_.wire && light_.kind(x, y) == Kind::figure);
        const Vec3 toward = stage_.camera.direction(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
        // Something thinner than a pixel may hide inside the figure's outline; outside there is nothing to find.
        const size_t few = may_meet_figure(stage_, toward) ? std::min(all, std::max<size_t>(4, all / 4)) : 1;
        Vec3 sum = Vec3::Zero();
        size_t count = 0;
        bool agreed = true;
        const Kind expected = light_.kind(x, y);
        while (count < (detailed || !agreed ? all : few)) {
            const float px = static_cast<float>(x) + offsets_[count].x(),
                        py = static_cast<float>(y) + offsets_[count].y();
            bool overlaid = false;
            const Sight sight = look(stage_, px, py);
            sum += see(sight, px, py, overlaid);
            agreed = agreed && sight.kind == expected && !overlaid;
            ++count;
        }
        return sum / static_cast<float>(count);
    }

private:
    Vec3 see(Sight sight, float x, float y, bool& overlaid) const {
        const Vec3 behind = backdrop(1.0f - y / static_cast<float>(stage_.camera.height));
        const float first_distance = sight.kind == Kind::figure ? sight.hit.distance : INFINITY;
        Vec3 seen = Vec3::Zero();
        float through = 1.0f;
        for (int layer = 0; layer < max_layers && sight.kind == Kind::figure; ++layer) {
            float alpha = 1.0f;
            const Vec3 color = surface_color(sight, x, y, alpha);
            seen += through * alpha * color;
            through *= 1.0f - alpha;
            if (through < 0.01f) break;
            sight = look(stage_, x, y, sight.hit.distance * (1.0f + 1e-5f) + 1e-5f);
        }
        if (through >= 0.01f)
            seen += through * (sight.kind == Kind::ground ? shade_ground(behind, light_.at(sight, x, y)) : behind);
        return options_.overlay ? with_overlay(seen, first_distance, x, y, overlaid) : seen;
    }

    Vec3 surface_color(const Sight& sight, float x, float y, float& alpha) const {
        const Vec4 color = base_color(sight.hit, footprint_ * sight.hit.distance);
        if (sight.hit.surface->material.alpha_mode == AlphaMode::blend) alpha = std::clamp(color.w(), 0.0f, 1.0f);
        const ShadePoint point = shade_point(sight.hit, stage_.camera.eye, color);
        const Vec3 lit = shade(point, stage_.studio, light_.at(sight, x, y));
        if (!options_.wire) return lit;
        const float edge = 0.75f * edge_coverage(sight.hit, stage_.camera, x, y);
        return (1.0f - edge) * lit + edge * Vec3(0.012f, 0.016f, 0.028f);
    }

    Vec3 with_overlay(Vec3 under, float distance, float x, float y, bool& overlaid) const {
        // The figure fades a little, so that the bones inside it stand out.
        if (std::isfinite(distance)) under = 0.8f * under + 0.2f * Vec3::Constant(0.85f);
        const auto hit = options_.overlay->intersect({stage_.camera.eye, stage_.camera.direction(x, y)});
        if (!hit) return under;
        overlaid = true;
        const Vec3 lit = shade(shade_point(*hit, stage_.camera.eye, base_color(*hit, 0.0f)), stage_.studio, {});
        const float alpha = hit->distance < distance ? 1.0f : 0.82f;
        return (1.0f - alpha) * under + alpha * lit;
    }

    const Stage& stage_;
    const DrawOptions& options_;
    LightBuffer light_;
    std::vector<Vec2> offsets_;
    float footprint_ = 0.0f;
};

// Rounds up or down by a fixed pattern of half a step, so that wide gradients show no bands.
uint8_t to_byte(float linear, float threshold) {
    if (!(linear > 0.0f)) return 0;  // also when it is not a number
    const float value = 255.0f * srgb_from_linear(std::min(linear, 1.0f));
    return static_cast<uint8_t>(std::clamp(std::floor(value + threshold), 0.0f, 255.0f));
}

// Thresholds of a 4×4 Bayer matrix, between 0 and 1.
float dither(int32_t x, int32_t y) {
    constexpr std::array<uint8_t, 16> bayer = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
    return (static_cast<float>(bayer[static_cast<size_t>(4 * (y & 3) + (x & 3))]) + 0.5f) / 16.0f;
}

}  // namespace

void draw_view(const Stage& stage, const DrawOptions& options, Picture& picture, int32_t left, int32_t top) {
    const int32_t width = stage.camera.width, height = stage.camera.height;
    SINEW_CHECK(left >= 0 && top >= 0 && left + width <= picture.width && top + height <= picture.height);
    const Painter painter(stage, options);
    constexpr int32_t tile = 16;
    const int32_t columns = (width + tile - 1) / tile, rows = (height + tile - 1) / tile;
    parallel_for(static_cast<size_t>(columns) * static_cast<size_t>(rows), 1, [&](size_t begin, size_t) {
        const int32_t x0 = tile * (static_cast<int32_t>(begin) % columns);
        const int32_t y0 = tile * (static_cast<int32_t>(begin) / columns);
        for (int32_t y = y0; y < std::min(y0 + tile, height); ++y) {
            for (int32_t x = x0; x < std::min(x0 + tile, width); ++x) {
                const Vec3 color = painter.pixel(x, y);
                const size_t at =
                    static_cast<size_t>(top + y) * static_cast<size_t>(picture.width) + static_cast<size_t>(left + x);
                uint8_t* out = &picture.rgba[4 * at];
                for (int c = 0; c < 3; ++c) out[c] = to_byte(color[c], dither(x, y));
                out[3] = 255;
            }
        }
    });
}

}  // namespace sinew
