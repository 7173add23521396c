#include <sinew/render/scene/surface.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

template <class T>
T mix(std::span<const T> values, const std::array<uint32_t, 3>& corner, const Vec3& b) {
    return b[0] * values[corner[0]] + b[1] * values[corner[1]] + b[2] * values[corner[2]];
}

bool is_denser(const SceneSurface& surface, uint32_t triangle, const Vec3& barycentric, float blended_cutoff) {
    const Material& material = surface.material;
    if (material.alpha_mode == AlphaMode::opaque) return true;
    const auto corner = corners(surface, triangle);
    float alpha = material.base_color.w();
    if (!surface.colors.empty()) alpha *= mix(surface.colors, corner, barycentric).w();
    if (surface.texture && !surface.uvs.empty())
        alpha *= surface.texture->sample(mix(surface.uvs, corner, barycentric), 0.0f).w();
    return alpha >= (material.alpha_mode == AlphaMode::mask ? material.alpha_cutoff : blended_cutoff);
}

}  // namespace

Vec3 barycentric_on_line(const SceneSurface& surface, uint32_t triangle, const Vec3& origin, const Vec3& direction) {
    const auto corner = corners(surface, triangle);
    const Vec3& a = surface.positions[corner[0]];
    const Vec3 e1 = surface.positions[corner[1]] - a, e2 = surface.positions[corner[2]] - a, s = origin - a;
    const Vec3 p = direction.cross(e2);
    const float det = e1.dot(p);
    float u = s.dot(p) / det, v = direction.dot(s.cross(e1)) / det;
    if (!std::isfinite(u + v)) u = v = 1.0f / 3.0f;  // seen from its edge
    u = std::clamp(u, 0.0f, 1.0f);
    v = std::clamp(v, 0.0f, 1.0f - u);
    return {1.0f - u - v, u, v};
}

SeenPoint seen_point(const SceneSurface& surface, uint32_t triangle, const Vec3& barycentric, const Vec3& eye) {
    const auto corner = corners(surface, triangle);
    SeenPoint point{&surface, triangle, barycentric, mix<Vec3>(surface.positions, corner, barycentric), {}, {}};
    const Vec3& a = surface.positions[corner[0]];
    point.face_normal = (surface.positions[corner[1]] - a).cross(surface.positions[corner[2]] - a).stableNormalized();
    point.normal = mix<Vec3>(surface.normals, corner, barycentric).stableNormalized();
    // A face seen from behind shows its other side. Interpolated normals may disagree with the winding, so the face
    // decides for each.
    if (point.face_normal.dot(point.position - eye) > 0.0f) point.face_normal = -point.face_normal;
    if (point.normal.dot(point.face_normal) < 0.0f) point.normal = -point.normal;
    if (!(point.normal.squaredNorm() > 0.5f)) point.normal = point.face_normal;
    return point;
}

Vec4 base_color(const SeenPoint& point, float footprint) {
    const SceneSurface& surface = *point.surface;
    const auto corner = corners(surface, point.triangle);
    Vec4 color = surface.material.base_color;
    if (!surface.colors.empty()) color = color.cwiseProduct(mix(surface.colors, corner, point.barycentric));
    if (!surface.texture || surface.uvs.empty()) return color;

    const Vec2 &t0 = surface.uvs[corner[0]], &t1 = surface.uvs[corner[1]], &t2 = surface.uvs[corner[2]];
    const Vec3& a = surface.positions[corner[0]];
    const float world_area = (surface.positions[corner[1]] - a).cross(surface.positions[corner[2]] - a).norm();
    const Vec2 e1 = t1 - t0, e2 = t2 - t0;
    const float texel_area = std::abs(e1.x() * e2.y() - e1.y() * e2.x()) * surface.texture->texels();
    const float texels_per_footprint = texel_area / std::max(world_area, 1e-20f) * footprint * footprint;
    const float level = 0.5f * std::log2(std::max(texels_per_footprint, 1e-6f));
    return color.cwiseProduct(surface.texture->sample(mix(surface.uvs, corner, point.barycentric), level));
}

bool is_visible(const SceneSurface& surface, uint32_t triangle, const Vec3& barycentric) {
    constexpr float faintest = 1.0f / 255.0f;
    return is_denser(surface, triangle, barycentric, faintest);
}

bool casts_shadow(const SceneSurface& surface, uint32_t triangle, const Vec3& barycentric) {
    constexpr float half = 0.5f;
    return is_denser(surface, triangle, barycentric, half);
}

Vec3 shadow_origin(const SeenPoint& point) {
    const SceneSurface& surface = *point.surface;
    const auto corner = corners(surface, point.triangle);
    Vec3 lift = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
        const Vec3 offset = point.position - surface.positions[corner[static_cast<size_t>(i)]];
        Vec3 normal = surface.normals[corner[static_cast<size_t>(i)]];
        if (normal.dot(point.face_normal) < 0.0f) normal = -normal;
        lift -= point.barycentric[i] * std::min(0.0f, offset.dot(normal)) * normal;
    }
    return lift.allFinite() ? Vec3(point.position + lift) : point.position;
}

}  // namespace sinew
