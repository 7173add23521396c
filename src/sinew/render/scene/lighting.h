// Lighting: how much of each light arrives at a point. Soft shadows and ambient occlusion, without noise.
// Data flow: scene.h (rays), studio_lights.h (lights) → *here* → draw.h, per sample.
#pragma once

#include <sinew/render/camera.h>
#include <sinew/render/scene/scene.h>
#include <sinew/render/scene/studio_lights.h>
#include <vector>

namespace sinew {

// The share of each light that arrives: 1 fully lit, 0 dark.
struct Visibility {
    float key = 1.0f;
    float rim = 1.0f;
    float sky = 1.0f;
};

enum class Kind : uint8_t { nothing, figure, ground };

// What a ray from the eye meets first.
struct Sight {
    Kind kind = Kind::nothing;
    Vec3 position = Vec3::Zero();
    Vec3 normal = Vec3::UnitY();
    Hit hit;  // for Kind::figure
};

// Everything that lighting needs. The ground is the plane y = ground; the sphere encloses every surface.
struct Stage {
    const Scene& scene;
    const Studio& studio;
    const Camera& camera;
    float ground = 0.0f;
    Vec3 center = Vec3::Zero();
    float radius = 1.0f;
};

// False where a ray from the eye in this direction surely misses the figure.
bool may_meet_figure(const Stage& stage, const Vec3& direction);

// What the ray through picture position (x, y) meets first, beyond the distance `near`.
Sight look(const Stage& stage, float x, float y, float near = 0.0f);

// The light at every pixel's centre. Each pixel traces a few rays, in a pattern that repeats every 4×4 pixels; then
// each averages over exactly that period, among neighbours on the same piece of surface. That gives 16 times the rays
// for the price of one, and no flickering noise.
class LightBuffer {
public:
    explicit LightBuffer(const Stage& stage);

    // The light at a sight near picture position (x, y), taken from the pixels around it that see the same surface.
    // Where none does, it is traced anew.
    Visibility at(const Sight& sight, float x, float y) const;

    // True where this pixel and its eight neighbours lie on one smooth piece of surface.
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
