#include <sinew/render/raster/draw.h>

#include <sinew/core/check.h>
#include <sinew/core/parallel.h>
#include <sinew/render/scene/colours.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace sinew {

namespace {

constexpr size_t max_shaded = 4;  // fragments of a pixel that get colours of their own
constexpr float fine_spacing = 1.0f / 170.0f, sparse_spacing = 1.0f / 72.0f;  // of points, in sizes of the figure
constexpr float texture_footprint = 0.7f;  // of a pixel: a little sharp rather than blurred

ShadePoint shade_point(const SeenPoint& point, const Vec3& eye, const Vec4& color) {
    const Material& material = point.surface->material;
    return {.base_color = color.head<3>(),
            .emissive = material.emissive,
            .metallic = material.metallic,
            .roughness = std::clamp(material.roughness, 0.08f, 1.0f),
            .normal = point.normal,
            .view = (eye - point.position).stableNormalized()};
}

// Rounds up or down by a fixed pattern of half a step, so that wide gradients show no bands.
uint8_t to_byte(float linear, float threshold) {
    if (!(linear > 0.0f)) return 0;  // also when it is not a number
    constexpr size_t steps = 8192;
    static const auto table = [] {
        std::array<float, steps + 2> values;
        for (size_t i = 0; i < values.size(); ++i)
            values[i] = 255.0f * srgb_from_linear(static_cast<float>(i) / static_cast<float>(steps));
        return values;
    }();
    const float at = std::min(linear, 1.0f) * static_cast<float>(steps);
    const auto below = static_cast<size_t>(at);
    const float value = table[below] + (at - static_cast<float>(below)) * (table[below + 1] - table[below]);
    return static_cast<uint8_t>(std::min(static_cast<int32_t>(value + threshold), 255));
}

constexpr int32_t dither_side = 4;

// Thresholds of a 4×4 Bayer matrix, between 0 and 1.
float dither(int32_t x, int32_t y) {
    constexpr std::array<uint8_t, 16> bayer = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
    return (static_cast<float>(bayer[static_cast<size_t>(4 * (y & 3) + (x & 3))]) + 0.5f) / 16.0f;
}

// A sphere around everything that is drawn now.
Bounds enclose(std::span<const SceneSurface> surfaces) {
    Box box;
    for (const SceneSurface& surface : surfaces)
        for (const Vec3& p : surface.positions)
            if (p.allFinite()) box.add(p);
    if (box.empty()) return {};
    return {box.center(), 0.5f * box.diagonal() + 1e-4f};
}

// A shadow's edge is almost as sharp as a pixel, within reason.
int32_t map_side(const Camera& camera) {
    constexpr int32_t least = 256, most = 1024;
    return std::clamp(std::max(camera.width, camera.height) * 3 / 4, least, most);
}

}  // namespace

// One view while it is drawn.
struct Painter::Paint {
    Picture& picture;
    int32_t left, top, width;
    std::vector<Vec3> backdrop;          // per row
    std::vector<uint8_t> backdrop_rgba;  // per row, one period of the dither pattern

    Paint(Picture& to, int32_t at_x, int32_t at_y, const Camera& camera)
        : picture(to), left(at_x), top(at_y), width(camera.width) {
        for (int32_t y = 0; y < camera.height; ++y) {
            backdrop.push_back(
                sinew::backdrop(1.0f - (static_cast<float>(y) + 0.5f) / static_cast<float>(camera.height)));
            for (int32_t x = 0; x < dither_side; ++x) {
                for (int c = 0; c < 3; ++c) backdrop_rgba.push_back(to_byte(backdrop.back()[c], dither(x, y)));
                backdrop_rgba.push_back(255);
            }
        }
    }

    // The empty studio in a row of pixels as long as the dither pattern; x is a multiple of that.
    void put_backdrop(int32_t x, int32_t y) const {
        const size_t at =
            static_cast<size_t>(top + y) * static_cast<size_t>(picture.width) + static_cast<size_t>(left + x);
        const auto count = static_cast<size_t>(std::min(dither_side, width - x));
        std::copy_n(&backdrop_rgba[4 * static_cast<size_t>(dither_side * y)], 4 * count, &picture.rgba[4 * at]);
    }

    void put(int32_t x, int32_t y, const Vec3& color) const {
        const size_t at =
            static_cast<size_t>(top + y) * static_cast<size_t>(picture.width) + static_cast<size_t>(left + x);
        uint8_t* out = &picture.rgba[4 * at];
        for (int c = 0; c < 3; ++c) out[c] = to_byte(color[c], dither(x, y));
        out[3] = 255;
    }
};

Painter::Painter(std::span<const SceneSurface> surfaces, std::span<const SceneSurface> overlay, float ground,
                 const DrawOptions& options)
    : surfaces_(surfaces),
      overlay_(overlay),
      ground_{ground},
      options_(options),
      points_(surfaces, 2.0f * enclose(surfaces).radius, fine_spacing),
      sparse_points_(surfaces, 2.0f * enclose(surfaces).radius, sparse_spacing),
      coverage_(options.samples),
      overlay_coverage_(options.samples) {
    update();
}

void Painter::update() {
    points_.place(surfaces_);
    shadows_.bounds = enclose(surfaces_);
    shadows_.sky.draw(points_, shadows_.bounds);
    sparse_points_.place(surfaces_);
    shadows_.ground_sky.draw(points_, sparse_points_, shadows_.bounds, ground_.height);
}

void Painter::draw(const Camera& camera, float azimuth, Picture& picture, int32_t left, int32_t top) {
    SINEW_CHECK(left >= 0 && top >= 0 && left + camera.width <= picture.width && top + camera.height <= picture.height);
    camera_ = camera;
    shadows_.studio = make_studio(azimuth);
    parallel_for(2, 1, [&](size_t i, size_t) {
        ShadowMap& map = i == 0 ? shadows_.key : shadows_.rim;
        map.draw(surfaces_, i == 0 ? shadows_.studio.key : shadows_.studio.rim, shadows_.bounds, map_side(camera));
    });
    coverage_.draw(surfaces_, camera, ground_);
    if (!overlay_.empty()) overlay_coverage_.draw(overlay_, camera, {.height = -INFINITY});
    light_.fill(coverage_, surfaces_, camera, shadows_);
    ground_light_.fill(camera, ground_, shadows_);
    const int32_t columns = (camera.width + Coverage::tile - 1) / Coverage::tile;
    const int32_t rows = (camera.height + Coverage::tile - 1) / Coverage::tile;
    const Paint paint(picture, left, top, camera);
    parallel_for(static_cast<size_t>(columns) * static_cast<size_t>(rows), 1, [&](size_t i, size_t) {
        draw_tile(paint, static_cast<int32_t>(i) % columns, static_cast<int32_t>(i) / columns);
    });
}

void Painter::draw_tile(const Paint& paint, int32_t column, int32_t row) const {
    constexpr int32_t cell = GroundLight::cell, tile = Coverage::tile;
    const bool empty = coverage_.is_empty(column, row) && (overlay_.empty() || overlay_coverage_.is_empty(column, row));
    std::array<Visibility, cell * cell> light;
    static_assert(cell == dither_side);
    for (int32_t cy = row * tile; cy < std::min((row + 1) * tile, camera_.height); cy += cell) {
        for (int32_t cx = column * tile; cx < std::min((column + 1) * tile, camera_.width); cx += cell) {
            const bool shaded = ground_light_.cell_light(cx / cell, cy / cell, light);
            for (int32_t y = cy; y < std::min(cy + cell, camera_.height); ++y) {
                const Vec3& sky = paint.backdrop[static_cast<size_t>(y)];
                if (empty && !shaded) {
                    paint.put_backdrop(cx, y);
                    continue;
                }
                for (int32_t x = cx; x < std::min(cx + cell, camera_.width); ++x) {
                    const Vec3 behind =
                        shaded ? shade_ground(sky, light[static_cast<size_t>((y - cy) * cell + x - cx)]) : sky;
                    paint.put(x, y, empty ? behind : pixel(paint, x, y, behind));
                }
            }
        }
    }
}

// The pixel's mean colour, display-linear.
Vec3 Painter::pixel(const Paint&, int32_t x, int32_t y, const Vec3& behind) const {
    const auto solid = coverage_.solid(x, y), clear = coverage_.clear(x, y);
    const auto samples = static_cast<float>(coverage_.offsets().size());
    std::array<float, static_cast<size_t>(max_samples * max_samples)> through;
    if (!clear.empty()) through.fill(1.0f);
    const auto share = [&](uint64_t mask) {
        if (clear.empty()) return static_cast<float>(std::popcount(mask)) / samples;
        float sum = 0.0f;
        for (uint64_t rest = mask; rest != 0; rest &= rest - 1)
            sum += through[static_cast<size_t>(std::countr_zero(rest))];
        return sum / samples;
    };
    const auto point_of = [&](const Fragment& fragment, const Vec2& at) {
        const SceneSurface& surface = surfaces_[fragment.surface];
        const Vec3 b = barycentric_on_line(surface, fragment.triangle, camera_.eye, camera_.toward(at.x(), at.y()));
        return seen_point(surface, fragment.triangle, b, camera_.eye);
    };
    const Vec2 corner(static_cast<float>(x), static_cast<float>(y));
    const auto footprint_of = [&](const SeenPoint& point) {
        return (point.position - camera_.eye).norm() * camera_.pixel_size();
    };

    Vec3 seen = Vec3::Zero();
    float left = 1.0f;
    for (const Fragment& fragment : clear) {
        const Vec2 at = corner + coverage_.centroid(fragment.samples);
        const SeenPoint point = point_of(fragment, at);
        const Vec4 color = base_color(point, texture_footprint * footprint_of(point));
        const float alpha = std::clamp(color.w(), 0.0f, 1.0f);
        const float weight = alpha * share(fragment.samples);
        constexpr float faintest = 1.0f / 1024.0f;
        if (!(weight > faintest)) continue;
        seen += weight * surface_color(point, color, fragment, at);
        left -= weight;
        for (uint64_t rest = fragment.samples; rest != 0; rest &= rest - 1)
            through[static_cast<size_t>(std::countr_zero(rest))] *= 1.0f - alpha;
    }

    // Neighbouring triangles of one smooth surface share a colour; of the rest the largest have their own.
    struct Shaded {
        const Fragment* fragment;
        SeenPoint point;
        Vec2 at;
        float weight;
    };
    std::array<Shaded, max_shaded> shaded;
    size_t count = 0;
    float solid_share = 0.0f, listed = 0.0f;
    for (const Fragment& fragment : solid) {
        const float weight = share(fragment.samples);
        solid_share += weight;
        const SceneSurface& surface = surfaces_[fragment.surface];
        const uint32_t first = surface.triangles[size_t{fragment.triangle} * 3];
        bool merged = false;
        for (size_t i = 0; i < count && !merged; ++i) {
            constexpr float alike = 0.97f, flat = 2.0f;  // of a pixel
            if (shaded[i].point.surface != &surface || options_.wire) continue;
            const float facing = std::abs(surface.normals[first].dot(shaded[i].point.normal));
            const float apart =
                std::abs(shaded[i].point.normal.dot(surface.positions[first] - shaded[i].point.position));
            merged = facing > alike && apart < flat * footprint_of(shaded[i].point);
            if (merged) shaded[i].weight += weight;
        }
        if (!merged && count == max_shaded) continue;
        listed += weight;
        if (merged) continue;
        const Vec2 at = corner + coverage_.centroid(fragment.samples);
        shaded[count++] = {&fragment, point_of(fragment, at), at, weight};
    }
    const float scale = listed > 0.0f ? solid_share / listed : 0.0f;
    for (size_t i = 0; i < count; ++i) {
        const Shaded& s = shaded[i];
        const Vec4 color = base_color(s.point, texture_footprint * footprint_of(s.point));
        seen += scale * s.weight * surface_color(s.point, color, *s.fragment, s.at);
    }
    left = std::max(0.0f, left - solid_share);
    seen += left * behind;
    return overlay_.empty() ? seen : with_overlay(seen, 1.0f - left, camera_, x, y);
}

Vec3 Painter::surface_color(const SeenPoint& point, const Vec4& color, const Fragment& fragment, const Vec2& at) const {
    const Vec3 lit = shade(shade_point(point, camera_.eye, color), shadows_.studio, light_.at(point, at.x(), at.y()));
    if (!options_.wire) return lit;
    const float edge = 0.75f * edge_share(point, fragment, static_cast<int32_t>(at.x()), static_cast<int32_t>(at.y()));
    return (1.0f - edge) * lit + edge * Vec3(0.012f, 0.016f, 0.028f);
}

// How much of a fragment lies on an edge of its triangle. Lines are `width` pixels wide. They fade where triangles are
// so small that only lines would be left.
float Painter::edge_share(const SeenPoint& point, const Fragment& fragment, int32_t x, int32_t y) const {
    constexpr float width = 1.1f;
    std::array<Vec3, 3> p;
    const auto corner = corners(*point.surface, point.triangle);
    for (size_t i = 0; i < 3; ++i) {
        p[i] = camera_.project(point.surface->positions[corner[i]]);
        if (p[i].z() <= 0.0f) return 0.0f;
    }
    const float area = std::abs((p[1] - p[0]).x() * (p[2] - p[0]).y() - (p[1] - p[0]).y() * (p[2] - p[0]).x());
    float longest = 1e-6f;
    for (size_t i = 0; i < 3; ++i) longest = std::max(longest, (p[(i + 1) % 3] - p[i]).head<2>().norm());
    int on_edge = 0;
    for (uint64_t rest = fragment.samples; rest != 0; rest &= rest - 1) {
        const Vec2 at = Vec2(static_cast<float>(x), static_cast<float>(y)) +
                        coverage_.offsets()[static_cast<size_t>(std::countr_zero(rest))];
        float nearest = INFINITY;
        for (size_t i = 0; i < 3; ++i) {
            const Vec2 edge = (p[(i + 1) % 3] - p[i]).head<2>(), from = at - p[i].head<2>();
            nearest =
                std::min(nearest, std::abs(edge.x() * from.y() - edge.y() * from.x()) / std::max(1e-6f, edge.norm()));
        }
        on_edge += nearest < 0.5f * width ? 1 : 0;
    }
    const float size = std::min(area / longest, std::sqrt(area));
    const float fade = std::clamp((size - 0.5f) / 5.0f, 0.15f, 1.0f);
    return fade * static_cast<float>(on_edge) / static_cast<float>(std::popcount(fragment.samples));
}

Vec3 Painter::with_overlay(Vec3 under, float figure_share, const Camera& camera, int32_t x, int32_t y) const {
    constexpr float through_figure = 0.82f;  // how clearly the overlay shows through the figure
    // The figure fades a little, so that the bones inside it stand out.
    const float faded = 0.2f * figure_share;
    under = (1.0f - faded) * under + faded * Vec3::Constant(0.85f);
    const auto samples = static_cast<float>(coverage_.offsets().size());
    Vec3 seen = Vec3::Zero();
    float left = 1.0f;
    const auto point_of = [&](std::span<const SceneSurface> surfaces, const Fragment& fragment, const Vec2& at) {
        const SceneSurface& surface = surfaces[fragment.surface];
        const Vec3 b = barycentric_on_line(surface, fragment.triangle, camera.eye, camera.toward(at.x(), at.y()));
        return seen_point(surface, fragment.triangle, b, camera.eye);
    };
    for (const Fragment& fragment : overlay_coverage_.solid(x, y)) {
        const Vec2 at =
            Vec2(static_cast<float>(x), static_cast<float>(y)) + overlay_coverage_.centroid(fragment.samples);
        const SeenPoint point = point_of(overlay_, fragment, at);
        const float depth = (point.position - camera.eye).dot(camera.forward);
        int behind = 0;
        for (const Fragment& figure : coverage_.solid(x, y)) {
            const int both = std::popcount(figure.samples & fragment.samples);
            if (both == 0) continue;
            const SeenPoint front = point_of(surfaces_, figure, at);
            if ((front.position - camera.eye).dot(camera.forward) < depth) behind += both;
        }
        const auto covered = static_cast<float>(std::popcount(fragment.samples));
        const float weight = (covered - (1.0f - through_figure) * static_cast<float>(behind)) / samples;
        seen += weight * shade(shade_point(point, camera.eye, base_color(point, 0.0f)), shadows_.studio, {});
        left -= weight;
    }
    return std::max(0.0f, left) * under + seen;
}

}  // namespace sinew
