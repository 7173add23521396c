// Shading: a surface's colour under the studio's lights.
// Data flow: studio_lights.h (lights), lighting.h (what arrives) → *here* → draw.h.
#pragma once

#include <sinew/render/scene/lighting.h>

namespace sinew {

// A surface where it is seen: what it is made of and how it stands. `view` points from the surface to the eye; both
// directions are unit.
struct ShadePoint {
    Vec3 base_color = Vec3::Ones();
    Vec3 emissive = Vec3::Zero();
    float metallic = 0.0f;
    float roughness = 0.8f;
    Vec3 normal = Vec3::UnitY();
    Vec3 view = Vec3::UnitY();
};

// Display-linear, after the tone curve.
Vec3 shade(const ShadePoint& point, const Studio& studio, const Visibility& light);

// The ground is the backdrop with the light that is missing taken away.
Vec3 shade_ground(const Vec3& backdrop, const Visibility& light);

}  // namespace sinew
