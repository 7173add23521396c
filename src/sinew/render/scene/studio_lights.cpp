#include <sinew/render/scene/studio_lights.h>

#include <sinew/math/interpolate.h>
#include <sinew/render/scene/colours.h>
#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

// Angles relative to the camera: 0 from the camera's side, positive to its right.
Vec3 direction_from(float azimuth, float elevation) {
    return {std::sin(azimuth) * std::cos(elevation), std::sin(elevation), std::cos(azimuth) * std::cos(elevation)};
}

}  // namespace

Studio make_studio(float azimuth) {
    Studio studio;
    studio.key = {.direction = direction_from(azimuth - radians(38.0f), radians(50.0f)),
                  .color = Vec3(1.0f, 0.965f, 0.91f) * 0.80f,
                  .radius = radians(6.0f)};
    studio.fill = {.direction = direction_from(azimuth + radians(55.0f), radians(18.0f)),
                   .color = Vec3(0.86f, 0.93f, 1.0f) * 0.15f,
                   .radius = 0.0f};
    studio.rim = {.direction = direction_from(azimuth + radians(152.0f), radians(38.0f)),
                  .color = Vec3(0.97f, 0.98f, 1.0f) * 0.55f,
                  .radius = radians(8.0f)};
    studio.sky = Vec3(0.94f, 0.97f, 1.0f) * 0.36f;
    studio.bounce = Vec3(1.0f, 0.97f, 0.93f) * 0.20f;
    return studio;
}

Vec3 ambient(const Studio& studio, const Vec3& normal) {
    const float up = 0.5f + 0.5f * normal.y();
    return up * studio.sky + (1.0f - up) * studio.bounce;
}

Vec3 reflected(const Studio& studio, const Vec3& direction, float roughness) {
    // The horizon blurs with roughness; a broad soft box glows around the key light's direction.
    const float width = 0.15f + 0.85f * roughness;
    const float up = smoothstep(0.5f + 0.5f * direction.y() / width);
    const float box = std::exp((direction.dot(studio.key.direction) - 1.0f) / (0.03f + 0.5f * roughness * roughness));
    const float side = std::exp((direction.dot(studio.fill.direction) - 1.0f) / (0.03f + 0.5f * roughness * roughness));
    return up * studio.sky + (1.0f - up) * studio.bounce + 0.8f * box * studio.key.color +
           1.2f * side * studio.fill.color;
}

Vec3 backdrop(float height) {
    static const Vec3 low = linear_from_srgb(Vec3(0.905f, 0.91f, 0.92f));
    static const Vec3 high = linear_from_srgb(Vec3(0.975f, 0.978f, 0.982f));
    const float t = smoothstep(height);
    return (1.0f - t) * low + t * high;
}

}  // namespace sinew
