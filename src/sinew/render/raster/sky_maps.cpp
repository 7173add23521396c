#include <sinew/render/raster/sky_maps.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace sinew {

namespace {

constexpr size_t most_points = 50000;
constexpr float texel_per_spacing = 1.35f;  // wide enough that no texel of a closed surface stays empty
constexpr uint16_t least_step = 1, most_step = 65534;

float total_area(std::span<const SceneSurface> surfaces) {
    double sum = 0.0;
    for (const SceneSurface& surface : surfaces)
        for (uint32_t t = 0; t < surface.triangles.size() / 3; ++t) {
            const auto c = corners(surface, t);
            const Vec3& a = surface.positions[c[0]];
            sum += 0.5 * (surface.positions[c[1]] - a).cross(surface.positions[c[2]] - a).norm();
        }
    return static_cast<float>(sum);
}

uint64_t cell_of(const Vec3& p, float width) {
    const auto step = [&](float x) {
        return static_cast<uint64_t>(static_cast<int64_t>(std::floor(x / width)) + (1 << 20));
    };
    return step(p.x()) << 42 | step(p.y()) << 21 | step(p.z());
}

}  // namespace

SurfacePoints::SurfacePoints(std::span<const SceneSurface> surfaces, float size, float spacing) {
    const float area = total_area(surfaces);
    spacing_ = std::max(spacing * size, std::sqrt(area / static_cast<float>(most_points)));
    if (!(spacing_ > 0.0f) || !std::isfinite(spacing_)) return;
    add_points(surfaces, size);
    place(surfaces);
}

void SurfacePoints::add_points(std::span<const SceneSurface> surfaces, float size) {
    constexpr float cell_per_spacing = 0.7f;  // of the points in one cell the first is enough
    constexpr float most_rows = 4096.0f;
    std::unordered_set<uint64_t> taken;
    for (uint32_t s = 0; s < surfaces.size(); ++s) {
        const SceneSurface& surface = surfaces[s];
        for (uint32_t t = 0; t < surface.triangles.size() / 3; ++t) {
            const auto c = corners(surface, t);
            const Vec3 &a = surface.positions[c[0]], &b = surface.positions[c[1]], &d = surface.positions[c[2]];
            if (std::max({a.norm(), b.norm(), d.norm()}) > 1e3f * size) continue;
            const auto steps = [&](float length) {
                return static_cast<int32_t>(std::clamp(std::ceil(length / spacing_), 1.0f, most_rows));
            };
            const int32_t rows = steps(std::max((b - a).norm(), (d - a).norm()));
            for (int32_t row = 0; row < rows; ++row) {
                const float from_a = (static_cast<float>(row) + 0.5f) / static_cast<float>(rows);
                const int32_t columns = steps(from_a * (d - b).norm());
                for (int32_t column = 0; column < columns; ++column) {
                    const float along = (static_cast<float>(column) + 0.5f) / static_cast<float>(columns);
                    const float u = from_a * (1.0f - along), v = from_a * along;
                    if (!casts_shadow(surface, t, Vec3(1.0f - u - v, u, v))) continue;
                    if (!taken.insert(cell_of((1.0f - u - v) * a + u * b + v * d, cell_per_spacing * spacing_)).second)
                        continue;
                    pins_.push_back({s, t, u, v});
                }
            }
        }
    }
}

void SurfacePoints::place(std::span<const SceneSurface> surfaces) {
    positions_.resize(pins_.size());
    for (size_t i = 0; i < pins_.size(); ++i) {
        const Pin& pin = pins_[i];
        const auto& positions = surfaces[pin.surface].positions;
        const auto c = corners(surfaces[pin.surface], pin.triangle);
        positions_[i] = (1.0f - pin.u - pin.v) * positions[c[0]] + pin.u * positions[c[1]] + pin.v * positions[c[2]];
    }
}

SkyMaps::SkyMaps() {
    // Half a sphere of directions along a spiral; each also stands for its opposite.
    constexpr float golden_angle = 2.39996323f;
    for (int32_t i = 0; i < axis_count; ++i) {
        const float y = (static_cast<float>(i) + 0.5f) / static_cast<float>(axis_count);
        const float r = std::sqrt(1.0f - y * y), turn = golden_angle * static_cast<float>(i);
        const Vec3 direction(r * std::cos(turn), y, r * std::sin(turn));
        const auto frame = frame_around(direction);
        axes_.push_back({direction, frame[0], frame[1]});
    }
}

void SkyMaps::draw(const SurfacePoints& points, const Bounds& bounds) {
    constexpr int32_t least_side = 16, most_side = 320;
    bounds_ = bounds;
    const float across = 2.0f * bounds.radius;
    const float texel = std::max(points.spacing() * texel_per_spacing, across / static_cast<float>(most_side - 4));
    side_ = points.positions().empty() ? least_side
                                       : std::clamp(static_cast<int32_t>(across / texel) + 4, least_side, most_side);
    texels_per_unit_ = (static_cast<float>(side_) - 4.0f) / across;
    steps_per_unit_ = static_cast<float>(most_step - least_step) / across;
    const size_t size = static_cast<size_t>(side_) * static_cast<size_t>(side_);
    texels_.resize(size * axes_.size());
    parallel_for(axes_.size(), 1,
                 [&](size_t k, size_t) { draw_map(axes_[k], points.positions(), &texels_[k * size]); });
}

// All points lie in the sphere, so they land inside the map.
void SkyMaps::draw_map(const Axis& axis, std::span<const Vec3> points, Texel* map) const {
    const auto side = static_cast<size_t>(side_);
    std::fill_n(map, side * side, Texel{0xffff, 0});
    const float half = 0.5f * static_cast<float>(side_);
    const Vec3 across = axis.across * texels_per_unit_, up = axis.up * texels_per_unit_;
    const Vec3 depth = axis.direction * steps_per_unit_;
    const float u0 = half - bounds_.center.dot(across), v0 = half - bounds_.center.dot(up);
    const float d0 = static_cast<float>(least_step) + bounds_.radius * steps_per_unit_ - bounds_.center.dot(depth);
    for (const Vec3& p : points) {
        const auto u = static_cast<uint32_t>(static_cast<int32_t>(p.dot(across) + u0));
        const auto v = static_cast<uint32_t>(static_cast<int32_t>(p.dot(up) + v0));
        const auto step = static_cast<uint16_t>(static_cast<int32_t>(p.dot(depth) + d0));
        const size_t index = static_cast<size_t>(v) * side + u;
        if (index >= side * side) continue;
        Texel& at = map[index];
        at.low = std::min(at.low, step);
        at.high = std::max(at.high, step);
    }
}

float SkyMaps::open(const Vec3& point, const Vec3& normal, int32_t pattern) const {
    constexpr int32_t share = 4;             // each pattern takes a quarter of the axes
    constexpr float clear_of_facets = 1.6f;  // texels
    constexpr float grazing = 0.12f;         // directions nearer to the surface than this count for nothing
    const float texel = 1.0f / texels_per_unit_;
    const Vec3 p = point + clear_of_facets * texel * normal - bounds_.center;
    const size_t size = static_cast<size_t>(side_) * static_cast<size_t>(side_);
    const float half = 0.5f * static_cast<float>(side_);
    // Patterns with the same axes look at opposite corners of a texel, which blurs the map by its width.
    const float shift = pattern < share ? -0.5f : 0.5f;
    float sum = 0.0f, total = 0.0f;
    for (int32_t k = pattern % share; k < axis_count; k += share) {
        const Axis& axis = axes_[static_cast<size_t>(k)];
        const float facing = normal.dot(axis.direction), weight = std::abs(facing);
        if (!(weight > grazing)) continue;
        total += weight;
        const float u = p.dot(axis.across) * texels_per_unit_ + half + shift;
        const float v = p.dot(axis.up) * texels_per_unit_ + half + shift;
        if (!(u >= 0.0f && v >= 0.0f && u < static_cast<float>(side_) && v < static_cast<float>(side_))) {
            sum += weight;
            continue;
        }
        const Texel& at = texels_[static_cast<size_t>(k) * size + static_cast<size_t>(v) * static_cast<size_t>(side_) +
                                  static_cast<size_t>(u)];
        const float depth = (p.dot(axis.direction) + bounds_.radius) * steps_per_unit_;
        // How far beyond the point the figure reaches in this direction.
        float beyond = facing > 0.0f ? static_cast<float>(at.high) - depth : depth - static_cast<float>(at.low);
        if (at.high == 0) beyond = -1.0f;
        const float slope = std::min(2.0f, std::sqrt(1.0f - weight * weight) / weight);
        const float distance = beyond / steps_per_unit_ - slope * texel;
        sum += distance > 0.0f ? weight * (1.0f - nearness_weight(distance)) : weight;
    }
    return total > 0.0f ? sum / total : 1.0f;
}

}  // namespace sinew
