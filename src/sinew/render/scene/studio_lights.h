// Studio: the lights of a preview and its background. The lights turn with the camera, so that each view is lit from
// over the viewer's left shoulder.
// Data flow: camera.h → *here* → raster/shadow_map.h (shadows), shade.h (light and colour).
#pragma once

#include <sinew/render/camera.h>

namespace sinew {

// A light so far away that only its direction counts. `radius` is half of its apparent angle.
struct Light {
    Vec3 direction = Vec3::UnitY();  // towards the light
    Vec3 color = Vec3::Ones();
    float radius = 0.0f;
};

struct Studio {
    Light key, fill, rim;
    Vec3 sky = Vec3::Ones();     // ambient light from above …
    Vec3 bounce = Vec3::Ones();  // … and from the ground
};

Studio make_studio(float azimuth);

// Cosine-weighted ambient light on a surface that faces `normal`.
Vec3 ambient(const Studio& studio, const Vec3& normal);
// The light that a surface of that roughness reflects from `direction`.
Vec3 reflected(const Studio& studio, const Vec3& direction, float roughness);

// The colour of the empty studio, display-linear. `height` runs from the picture's bottom (0) to its top (1).
Vec3 backdrop(float height);

}  // namespace sinew
