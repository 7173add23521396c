#include <sinew/render/raster/light_buffer.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

namespace {

// Whether light is asked for at this pixel.
bool is_lit(int32_t x, int32_t y) {
    return (x + y) % 2 == 0;
}

// Which of the 8 sample sets each lit pixel of a 4×4 tile takes; neighbours are far apart in this order.
int32_t pattern_of(int32_t x, int32_t y) {
    constexpr std::array<int32_t, pattern_count> order = {0, 2, 4, 6, 3, 1, 7, 5};
    return order[static_cast<size_t>(pattern_side / 2 * (y % pattern_side) + x % pattern_side / 2)];
}

Visibility ask(const Shadows& shadows, const SeenPoint& point, int32_t pattern) {
    const Vec3 origin = shadow_origin(point);
    return {shadows.key.arrives(origin, point.normal, pattern), shadows.rim.arrives(origin, point.normal, pattern),
            shadows.sky.open(origin, point.normal, pattern)};
}

void add(Visibility& sum, const Visibility& light, float weight) {
    sum.key += weight * light.key;
    sum.rim += weight * light.rim;
    sum.sky += weight * light.sky;
}

// 1 where two points lie on one smooth piece of surface, 0 where they do not. `footprint`: the width of a pixel there.
float likeness(const Vec3& position, const Vec3& normal, const Vec3& other, const Vec3& other_normal, float footprint) {
    constexpr float least_facing = 0.6f, most_apart = 2.0f;
    const float facing = normal.dot(other_normal);
    if (facing < least_facing) return 0.0f;
    const float apart = std::abs(normal.dot(other - position)) / (2.0f * footprint);
    if (apart > most_apart) return 0.0f;
    return facing * facing / (1.0f + apart * apart * (1.0f + apart * apart));
}

}  // namespace

void LightBuffer::fill(const Coverage& coverage, std::span<const SceneSurface> surfaces, const Camera& camera,
                       const Shadows& shadows) {
    camera_ = camera;
    shadows_ = &shadows;
    const size_t count = static_cast<size_t>(camera.width) * static_cast<size_t>(camera.height);
    seen_.assign(count, 0);
    pixels_.resize(count);
    smooth_.resize(count);
    const int32_t columns = (camera.width + Coverage::tile - 1) / Coverage::tile;
    const int32_t rows = (camera.height + Coverage::tile - 1) / Coverage::tile;
    parallel_for(static_cast<size_t>(columns) * static_cast<size_t>(rows), 1, [&](size_t i, size_t) {
        const auto tile = static_cast<int32_t>(i);
        if (!coverage.is_empty(tile % columns, tile / columns))
            fill_tile(coverage, surfaces, tile % columns, tile / columns);
    });
    parallel_for(static_cast<size_t>(camera.height), 4, [&](size_t begin, size_t end) {
        for (auto y = static_cast<int32_t>(begin); y < static_cast<int32_t>(end); ++y)
            for (int32_t x = 0; x < camera_.width; ++x)
                if (seen_[index(x, y)] != 0) smooth_[index(x, y)] = smoothed(x, y);
    });
}

void LightBuffer::fill_tile(const Coverage& coverage, std::span<const SceneSurface> surfaces, int32_t column,
                            int32_t row) {
    const int32_t left = column * Coverage::tile, top = row * Coverage::tile;
    for (int32_t y = top; y < std::min(top + Coverage::tile, camera_.height); ++y) {
        for (int32_t x = left; x < std::min(left + Coverage::tile, camera_.width); ++x) {
            if (!is_lit(x, y)) continue;
            for (const Fragment& fragment : coverage.solid(x, y)) {
                if ((fragment.samples & 1) == 0) continue;  // the first sample is the centre
                const SceneSurface& surface = surfaces[fragment.surface];
                const Vec3 toward = camera_.toward(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
                const SeenPoint point =
                    seen_point(surface, fragment.triangle,
                               barycentric_on_line(surface, fragment.triangle, camera_.eye, toward), camera_.eye);
                seen_[index(x, y)] = 1;
                pixels_[index(x, y)] = {point.position, point.normal, ask(*shadows_, point, pattern_of(x, y))};
            }
        }
    }
}

Visibility LightBuffer::smoothed(int32_t x, int32_t y) const {
    constexpr int32_t half = pattern_side / 2;
    const Pixel& center = pixels_[index(x, y)];
    const float footprint = (center.position - camera_.eye).norm() * camera_.pixel_size();
    Visibility sum{0.0f, 0.0f, 0.0f};
    float total = 0.0f;
    for (int32_t py = std::max(0, y - half); py <= std::min(y + half, camera_.height - 1); ++py) {
        for (int32_t px = std::max(0, x - half); px <= std::min(x + half, camera_.width - 1); ++px) {
            if (seen_[index(px, py)] == 0) continue;
            const Pixel& pixel = pixels_[index(px, py)];
            // Weights are halved at the rim, so that each lit pixel of the 4×4 pattern counts once.
            const float period = (std::abs(px - x) == half ? 0.5f : 1.0f) * (std::abs(py - y) == half ? 0.5f : 1.0f);
            const float weight =
                period * likeness(center.position, center.normal, pixel.position, pixel.normal, footprint);
            add(sum, pixel.light, weight);
            total += weight;
        }
    }
    if (!(total > 0.0f)) return center.light;
    return {sum.key / total, sum.rim / total, sum.sky / total};
}

Visibility LightBuffer::at(const SeenPoint& point, float x, float y) const {
    const float footprint = (point.position - camera_.eye).norm() * camera_.pixel_size();
    const auto x0 = static_cast<int32_t>(std::floor(x - 0.5f)), y0 = static_cast<int32_t>(std::floor(y - 0.5f));
    // Blend the four nearest pixels bilinearly; if none of them sees this surface, try the ring around them.
    for (int32_t ring = 0; ring < 2; ++ring) {
        Visibility sum{0.0f, 0.0f, 0.0f};
        float total = 0.0f;
        for (int32_t py = std::max(0, y0 - ring); py <= std::min(y0 + 1 + ring, camera_.height - 1); ++py) {
            for (int32_t px = std::max(0, x0 - ring); px <= std::min(x0 + 1 + ring, camera_.width - 1); ++px) {
                if (seen_[index(px, py)] == 0) continue;
                const Pixel& pixel = pixels_[index(px, py)];
                const float dx = std::abs(static_cast<float>(px) + 0.5f - x);
                const float dy = std::abs(static_cast<float>(py) + 0.5f - y);
                const float near = ring == 0 ? (1.001f - dx) * (1.001f - dy) : 1.0f;
                const float weight =
                    near * likeness(point.position, point.normal, pixel.position, pixel.normal, footprint);
                add(sum, smooth_[index(px, py)], weight);
                total += weight;
            }
        }
        if (total > 1e-4f) return {sum.key / total, sum.rim / total, sum.sky / total};
    }
    Visibility sum{0.0f, 0.0f, 0.0f};
    constexpr int32_t sets = 4;  // together they have all directions of the sky
    for (int32_t i = 0; i < sets; ++i) add(sum, ask(*shadows_, point, i), 1.0f / static_cast<float>(sets));
    return sum;
}

void GroundLight::fill(const Camera& camera, const GroundPlane& ground, const Shadows& shadows) {
    camera_ = camera;
    ground_ = ground;
    shadows_ = &shadows;
    columns_ = (camera.width + cell - 1) / cell + 1;
    const int32_t rows = (camera.height + cell - 1) / cell + 1;
    nodes_.resize(static_cast<size_t>(columns_) * static_cast<size_t>(rows));
    parallel_for(nodes_.size(), 256, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            const auto column = static_cast<int32_t>(i % static_cast<size_t>(columns_));
            const auto row = static_cast<int32_t>(i / static_cast<size_t>(columns_));
            nodes_[i] = at(static_cast<float>(cell * column), static_cast<float>(cell * row));
        }
    });
}

Visibility GroundLight::at(float x, float y) const {
    Visibility light;
    const float nearness = ground_.nearness(camera_, x, y);
    if (!(nearness > 0.0f)) return light;
    Vec3 position = camera_.eye + camera_.toward(x, y) / nearness;
    position.y() = ground_.height;
    // Nothing is in the way of a ray that passes the sphere around the figure.
    const Vec3 offset = shadows_->bounds.center - position;
    const Light& key = shadows_->studio.key;
    const float along = offset.dot(key.direction), radius = shadows_->bounds.radius;
    const float reach = radius + std::tan(key.radius) * std::max(0.0f, along + radius);
    if (along > -radius && offset.squaredNorm() - along * along < reach * reach)
        light.key = shadows_->key.arrives_on_ground(position);
    light.sky = shadows_->ground_sky.open(position);
    return light;
}

bool GroundLight::cell_light(int32_t column, int32_t row, std::span<Visibility, cell * cell> out) const {
    constexpr float rough = 0.06f;  // a step that shows when it is drawn as a slope
    constexpr float lit = 0.997f;
    const std::array<Visibility, 4> corner = {node(column, row), node(column + 1, row), node(column, row + 1),
                                              node(column + 1, row + 1)};
    const auto [least_key, most_key] = std::minmax({corner[0].key, corner[1].key, corner[2].key, corner[3].key});
    const auto [least_sky, most_sky] = std::minmax({corner[0].sky, corner[1].sky, corner[2].sky, corner[3].sky});
    if (least_key > lit && least_sky > lit) return false;
    // Blends the corners of a square of `size` pixels whose pixels begin at (left, top) of the cell.
    const auto blend = [&](const std::array<Visibility, 4>& c, int32_t size, int32_t left, int32_t top) {
        for (int32_t y = 0; y < size; ++y)
            for (int32_t x = 0; x < size; ++x) {
                const float fx = (static_cast<float>(x) + 0.5f) / static_cast<float>(size);
                const float fy = (static_cast<float>(y) + 0.5f) / static_cast<float>(size);
                Visibility& light = out[static_cast<size_t>((top + y) * cell + left + x)];
                light = {0.0f, 1.0f, 0.0f};
                for (size_t i = 0; i < 4; ++i) {
                    const float weight = (i % 2 != 0 ? fx : 1.0f - fx) * (i / 2 != 0 ? fy : 1.0f - fy);
                    light.key += weight * c[i].key;
                    light.sky += weight * c[i].sky;
                }
            }
    };
    if (most_key - least_key < rough && most_sky - least_sky < rough) {
        blend(corner, cell, 0, 0);
        return true;
    }
    constexpr int32_t half = cell / 2;
    const auto x = static_cast<float>(column * cell), y = static_cast<float>(row * cell);
    const auto step = static_cast<float>(half);
    const std::array<Visibility, 9> fine = {corner[0],
                                            at(x + step, y),
                                            corner[1],
                                            at(x, y + step),
                                            at(x + step, y + step),
                                            at(x + 2 * step, y + step),
                                            corner[2],
                                            at(x + step, y + 2 * step),
                                            corner[3]};
    for (size_t i = 0; i < 4; ++i) {
        const size_t first = i / 2 * 3 + i % 2;
        blend({fine[first], fine[first + 1], fine[first + 3], fine[first + 4]}, half,
              half * static_cast<int32_t>(i % 2), half * static_cast<int32_t>(i / 2));
    }
    return true;
}

}  // namespace sinew
