// Lighting: how much of each light arrives at what a pixel shows — soft shadows and ambient occlusion, without noise.
// Data flow: scene.h (rays), studio_lights.h (lights) → *here* → draw.h (asks per sample).
#pragma once

#include <sinew/render/camera.h>
#include <sinew/render/scene/scene.h>
#include <sinew/render/scene/studio_lights.h>
#include <vector>

namespace sinew {

// The part of each light that arrives: 1 lit, 0 in the dark.
struct Visibility {
    float key = 1.0f;
    float rim = 1.0f;
    float sky = 1.0f;
};

enum class Kind : uint8_t { nothing, figure, ground };

// What one ray from the eye met first.
struct Sight {
    Kind kind = Kind::nothing;
    Vec3 position = Vec3::Zero();
    Vec3 normal = Vec3::UnitY();
    Hit hit;  // for Kind::figure
};

// What lighting looks at. The ground is the plane y = ground; the sphere holds every surface.
struct Stage {
    const Scene& scene;
    const Studio& studio;
    const Camera& camera;
    float ground = 0.0f;
    Vec3 center = Vec3::Zero();
    float radius = 1.0f;
};

// The ray through picture position (x, y) may meet the figure.
bool may_meet_figure(const Stage& stage, const Vec3& direction);

// The first thing farther than `near` along the ray through picture position (x, y).
Sight look(const Stage& stage, float x, float y, float near = 0.0f);

// Light at every pixel's centre, traced with a few rays each in a pattern that repeats every 4×4 pixels and then
// averaged over exactly that period among neighbours that lie on the same piece of surface: 16 times the rays for the
// price of one, and no noise that flickers.
class LightBuffer {
public:
    explicit LightBuffer(const Stage& stage);

    // Light at a sight near picture position (x, y): from the pixels around it that see the same surface, or traced
    // afresh when none does.
    Visibility at(const Sight& sight, float x, float y) const;

    // All nine pixels around this one lie on the same smooth piece of the same thing.
    bool is_smooth(int32_t x, int32_t y) const;
    Kind kind(int32_t x, int32_t y) const { return pixels_[index(x, y)].kind; }

private:
    struct Pixel {
        Kind kind = Kind::nothing;
        const SceneSurface* surface = nullptr;
        Vec3 position = Vec3::Zero();
        Vec3 normal = Vec3::Zero();
        Visibility light;
    };

    size_t index(int32_t x, int32_t y) const {
        return static_cast<size_t>(y) * static_cast<size_t>(stage_.camera.width) + static_cast<size_t>(x);
    }
    float likeness(const Pixel& pixel, Kind kind, const Vec3& position, const Vec3& normal, float footprint) const;
    Visibility smoothed(int32_t x, int32_t y, int32_t step) const;

    Stage stage_;
    std::vector<Pixel> pixels_;
};

}  // namespace sinew
