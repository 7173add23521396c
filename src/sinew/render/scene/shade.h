// Shading: a surface's colour under the studio's lights.
// Data flow: studio_lights.h (lights), raster/light_buffer.h (how much arrives) → *here* → raster/draw.h.
#pragma once

#include <sinew/render/scene/studio_lights.h>

namespace sinew {

// The share of each light that arrives: 1 fully lit, 0 dark.
struct Visibility {
    float key = 1.0f;
    float rim = 1.0f;
    float sky = 1.0f;
};

// A point of a surface: its material, its normal, and `view`, which points from the surface to the eye. Both directions
// are unit.
struct ShadePoint {
    Vec3 base_color = Vec3::Ones();
    Vec3 emissive = Vec3::Zero();
    float metallic = 0.0f;
    float roughness = 0.8f;
    Vec3 normal = Vec3::UnitY();
    Vec3 view = Vec3::UnitY();
};

// The colour that the eye sees: display-linear, after the tone curve.
Vec3 shade(const ShadePoint& point, const Studio& studio, const Visibility& light);

// The ground looks like the backdrop, darkened where light is missing.
Vec3 shade_ground(const Vec3& backdrop, const Visibility& light);

}  // namespace sinew
