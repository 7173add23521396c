#include <sinew/render/raster/shadow_map.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr float clear_of_facets = 1.5f;  // texels: how far from its own surface a point must be to be lit by its map
constexpr float steepest = 4.0f;         // slopes of surfaces against the light beyond this are taken for this
constexpr size_t few_taps = 12;          // per point of the figure: 8 patterns together have 96
constexpr size_t many_taps = 42;         // per point of the ground

// Points spread evenly over the unit disc: along a spiral, for any number of turns equally dense.
template <size_t count>
std::array<Vec2, count> disc(size_t first, size_t stride, size_t all) {
    constexpr float golden_angle = 2.39996323f;
    std::array<Vec2, count> points;
    for (size_t i = 0; i < count; ++i) {
        const auto n = static_cast<float>(first + stride * i);
        const float radius = std::sqrt((n + 0.5f) / static_cast<float>(all));
        points[i] = radius * Vec2(std::cos(golden_angle * n), std::sin(golden_angle * n));
    }
    return points;
}

const std::array<Vec2, few_taps>& pattern_taps(int32_t pattern) {
    static const auto table = [] {
        std::array<std::array<Vec2, few_taps>, pattern_count> sets;
        for (size_t p = 0; p < sets.size(); ++p) sets[p] = disc<few_taps>(p, pattern_count, few_taps * pattern_count);
        return sets;
    }();
    return table[static_cast<size_t>(pattern)];
}

const std::array<Vec2, many_taps>& ground_taps() {
    static const auto taps = disc<many_taps>(0, 1, many_taps);
    return taps;
}

}  // namespace

std::array<Vec3, 2> frame_around(const Vec3& axis) {
    const float sign = std::copysign(1.0f, axis.z());
    const float a = -1.0f / (sign + axis.z());
    const float b = axis.x() * axis.y() * a;
    return {Vec3(1.0f + sign * axis.x() * axis.x() * a, sign * b, -sign * axis.x()),
            Vec3(b, sign + axis.y() * axis.y() * a, -axis.y())};
}

ShadowMap::Spot ShadowMap::spot_of(const Vec3& point) const {
    const Vec3 p = point - bounds_.center;
    const float half = 0.5f * static_cast<float>(side_);
    return {p.dot(across_[0]) * texels_per_unit_ + half, p.dot(across_[1]) * texels_per_unit_ + half,
            p.dot(light_.direction)};
}

const ShadowMap::Texel& ShadowMap::at(float u, float v) const {
    static constexpr Texel none{INFINITY, -INFINITY};
    const auto side = static_cast<float>(side_);
    if (!(u >= 0.0f && v >= 0.0f && u < side && v < side)) return none;
    return texels_[static_cast<size_t>(v) * static_cast<size_t>(side_) + static_cast<size_t>(u)];
}

void ShadowMap::draw(std::span<const SceneSurface> surfaces, const Light& light, const Bounds& bounds, int32_t side) {
    constexpr float rim = 2.0f;  // texels around the sphere
    light_ = light;
    across_ = frame_around(light.direction);
    bounds_ = bounds;
    side_ = side;
    texels_per_unit_ = (static_cast<float>(side) - 2.0f * rim) / (2.0f * bounds.radius);
    spread_ = std::tan(light.radius) * texels_per_unit_;
    texels_.assign(static_cast<size_t>(side) * static_cast<size_t>(side), {INFINITY, -INFINITY});
    for (const SceneSurface& surface : surfaces) {
        spots_.resize(surface.positions.size());
        for (size_t v = 0; v < spots_.size(); ++v) spots_[v] = spot_of(surface.positions[v]);
        for (uint32_t t = 0; t < surface.triangles.size() / 3; ++t) draw_triangle(surface, t, spots_);
    }
}

void ShadowMap::draw_triangle(const SceneSurface& surface, uint32_t triangle, std::span<const Spot> spots) {
    const auto corner = corners(surface, triangle);
    const Spot &a = spots[corner[0]], &b = spots[corner[1]], &c = spots[corner[2]];
    const float area = (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
    if (!(std::abs(area) > 0.0f)) return;
    const auto last = static_cast<float>(side_ - 1);
    // The texels whose centres may be inside.
    const auto from = [&](float x) { return static_cast<int32_t>(std::clamp(x + 0.499f, 0.0f, last)); };
    const auto to = [&](float x) { return static_cast<int32_t>(std::clamp(x + 0.501f, 0.0f, last + 1.0f)) - 1; };
    const int32_t u0 = from(std::min({a.u, b.u, c.u})), u1 = to(std::max({a.u, b.u, c.u}));
    const int32_t v0 = from(std::min({a.v, b.v, c.v})), v1 = to(std::max({a.v, b.v, c.v}));
    constexpr float seam = 1e-4f;  // so that no texel falls between two triangles
    const bool cut = surface.material.alpha_mode != AlphaMode::opaque;
    const float per_area = 1.0f / area;
    const float s_u = (c.v - a.v) * per_area, s_v = -(c.u - a.u) * per_area;
    const float t_u = -(b.v - a.v) * per_area, t_v = (b.u - a.u) * per_area;
    for (int32_t v = v0; v <= v1; ++v) {
        const float y = static_cast<float>(v) + 0.5f - a.v;
        for (int32_t u = u0; u <= u1; ++u) {
            const float x = static_cast<float>(u) + 0.5f - a.u;
            const float s = s_u * x + s_v * y, t = t_u * x + t_v * y;
            if (s < -seam || t < -seam || s + t > 1.0f + seam) continue;
            if (cut && !casts_shadow(surface, triangle, Vec3(1.0f - s - t, s, t))) continue;
            const float depth = a.depth + s * (b.depth - a.depth) + t * (c.depth - a.depth);
            Texel& texel = texels_[static_cast<size_t>(v) * static_cast<size_t>(side_) + static_cast<size_t>(u)];
            texel.low = std::min(texel.low, depth);
            texel.high = std::max(texel.high, depth);
        }
    }
}

float ShadowMap::arrives(const Vec3& point, const Vec3& normal, int32_t pattern) const {
    const float facing = normal.dot(light_.direction);
    constexpr float turned_away = -0.2f;
    if (facing < turned_away) return 0.0f;
    const float texel = 1.0f / texels_per_unit_;
    const Spot spot = spot_of(point + clear_of_facets * texel * normal);
    // The plane of the surface, so that it does not shade itself however wide the taps reach.
    const float slope = -1.0f / (std::max(facing, 1.0f / steepest) * texels_per_unit_);
    const float slope_u = slope * normal.dot(across_[0]), slope_v = slope * normal.dot(across_[1]);
    const auto& taps = pattern_taps(pattern);
    const auto gap = [&](const Vec2& offset) {
        return at(spot.u + offset.x(), spot.v + offset.y()).high -
               (spot.depth + slope_u * offset.x() + slope_v * offset.y() + texel);
    };
    const float reach = spread_ * std::max(0.0f, bounds_.radius - spot.depth);
    float distance = 0.0f;
    int blockers = 0;
    for (const Vec2& tap : taps) {
        const float above = gap(reach * tap);
        if (!(above > 0.0f)) continue;
        distance += above;
        ++blockers;
    }
    if (blockers == 0) return 1.0f;
    const float radius = std::max(1.0f, spread_ * distance / static_cast<float>(blockers));
    int open = 0;
    for (const Vec2& tap : taps) open += gap(radius * tap) > 0.0f ? 0 : 1;
    return static_cast<float>(open) / static_cast<float>(taps.size());
}

float ShadowMap::arrives_on_ground(const Vec3& point) const {
    const Spot spot = spot_of(point);
    const float facing = light_.direction.y();
    const float slope_u = -across_[0].y() / (facing * texels_per_unit_),
                slope_v = -across_[1].y() / (facing * texels_per_unit_);
    const float reach = spread_ * std::max(0.0f, bounds_.radius - spot.depth);
    const auto& taps = ground_taps();
    float distance = 0.0f;
    int blockers = 0;
    for (size_t i = 0; i < taps.size(); i += 3) {
        const Vec2 offset = reach * taps[i];
        const float low = at(spot.u + offset.x(), spot.v + offset.y()).low;
        if (!std::isfinite(low)) continue;
        distance += std::max(0.0f, low - (spot.depth + slope_u * offset.x() + slope_v * offset.y()));
        ++blockers;
    }
    if (blockers == 0) return 1.0f;
    const float radius = std::max(1.0f, spread_ * distance / static_cast<float>(blockers));
    int open = 0;
    for (const Vec2& tap : taps)
        open += std::isfinite(at(spot.u + radius * tap.x(), spot.v + radius * tap.y()).low) ? 0 : 1;
    return static_cast<float>(open) / static_cast<float>(taps.size());
}

}  // namespace sinew
