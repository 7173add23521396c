// Sky maps: the figure's outline and depth from many directions, which tell how much of the sky a point sees.
// Data flow: surfaces (scene/surface.h) → points spread over them → *here*, a small depth map per direction →
// light_buffer.h.
#pragma once

#include <sinew/render/raster/shadow_map.h>
#include <sinew/render/scene/surface.h>
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Points so dense on the surfaces that they show as closed in a sky map. They are chosen once and move with the
// triangles; their number is bounded, however many triangles there are.
class SurfacePoints {
public:
    // `size`: of the figure. `spacing`: how far apart, of its size, unless there would be too many.
    SurfacePoints(std::span<const SceneSurface> surfaces, float size, float spacing);

    void place(std::span<const SceneSurface> surfaces);
    std::span<const Vec3> positions() const { return positions_; }
    float spacing() const { return spacing_; }

private:
    struct Pin {
        uint32_t surface, triangle;
        float u, v;  // barycentric, of the second and third corner
    };
    void add_points(std::span<const SceneSurface> surfaces, float size);

    std::vector<Pin> pins_;
    std::vector<Vec3> positions_;
    float spacing_ = 0.0f;
};

class SkyMaps {
public:
    SkyMaps();

    void draw(const SurfacePoints& points, const Bounds& bounds);

    // The share of the sky over a surface, cosine-weighted, that nothing nearby hides; 0 to 1. `pattern`: which of the
    // 8 sample sets.
    float open(const Vec3& point, const Vec3& normal, int32_t pattern) const;
    // Things up to this distance hide the sky whole; farther ones less and less, nothing at this many times the reach.
    static constexpr float reach = 0.5f, fades_out = 2.0f;
    static float nearness_weight(float distance) {
        return std::clamp((fades_out * reach - distance) / ((fades_out - 1.0f) * reach), 0.0f, 1.0f);
    }

private:
    struct Texel {
        uint16_t low, high;  // steps along the axis; low > high where nothing is
    };
    // Each axis serves two directions: along it the highest point counts, against it the lowest.
    struct Axis {
        Vec3 direction, across, up;
    };
    void draw_map(const Axis& axis, std::span<const Vec3> points, Texel* map) const;
    static constexpr int32_t axis_count = 20;

    std::vector<Axis> axes_;
    std::vector<Texel> texels_;
    Bounds bounds_;
    int32_t side_ = 0;
    float texels_per_unit_ = 1.0f, steps_per_unit_ = 1.0f;
};

}  // namespace sinew
