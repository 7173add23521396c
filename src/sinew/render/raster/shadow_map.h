// Shadow map: the surfaces as a light of some size sees them, and how much of that light arrives somewhere.
// Data flow: surfaces (scene/surface.h), studio_lights.h → *here* → light_buffer.h.
#pragma once

#include <sinew/render/scene/studio_lights.h>
#include <sinew/render/scene/surface.h>
#include <span>
#include <vector>

namespace sinew {

// A sphere around everything that is drawn.
struct Bounds {
    Vec3 center = Vec3::Zero();
    float radius = 1.0f;
};

// Two directions that make a right-handed frame with a unit `axis` [Duff2017].
std::array<Vec3, 2> frame_around(const Vec3& axis);

// Light is asked for at every other pixel, like the white fields of a chess board. They repeat a pattern of 4×4 pixels,
// each with sample points of its own; an average over the period has the samples of all 8.
constexpr int32_t pattern_side = 4;
constexpr int32_t pattern_count = pattern_side * pattern_side / 2;

// Soft shadows from one depth map [Fernando2005]: the depth of what is in the way tells how wide the half-shadow is.
class ShadowMap {
public:
    // `side`: texels across the sphere.
    void draw(std::span<const SceneSurface> surfaces, const Light& light, const Bounds& bounds, int32_t side);

    // The share of the light, 0 to 1, that reaches a point of the surfaces. `pattern`: which of the 8 sample sets.
    float arrives(const Vec3& point, const Vec3& normal, int32_t pattern) const;
    // The same on the ground, which lies below all surfaces and faces up.
    float arrives_on_ground(const Vec3& point) const;

private:
    // How far towards the light the surfaces reach above this texel; low > high where there are none.
    struct Texel {
        float low, high;
    };
    struct Spot {
        float u, v, depth;  // in the map: texels, and scene units towards the light
    };

    void draw_triangle(const SceneSurface& surface, uint32_t triangle, std::span<const Spot> spots);
    Spot spot_of(const Vec3& point) const;
    const Texel& at(float u, float v) const;

    Light light_;
    std::array<Vec3, 2> across_;
    Bounds bounds_;
    int32_t side_ = 0;
    float texels_per_unit_ = 1.0f;
    float spread_ = 0.0f;  // how much wider a half-shadow gets per unit of distance, texels
    std::vector<Texel> texels_;
    std::vector<Spot> spots_;
};

}  // namespace sinew
