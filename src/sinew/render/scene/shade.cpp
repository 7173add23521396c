#include <sinew/render/scene/shade.h>

#include <sinew/render/scene/colours.h>
#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

// Microfacet highlight of one light: GGX with the joint Smith term [Heitz2014], Schlick's Fresnel. Includes the cosine.
Vec3 highlight(const ShadePoint& point, const Vec3& f0, const Light& light) {
    const float nl = point.normal.dot(light.direction);
    const float nv = std::max(1e-3f, point.normal.dot(point.view));
    if (nl <= 0.0f) return Vec3::Zero();
    const Vec3 half = (light.direction + point.view).normalized();
    const float nh = std::max(0.0f, point.normal.dot(half));
    const float vh = std::max(0.0f, point.view.dot(half));
    // A light of finite size cannot make a highlight smaller than itself.
    const float alpha = std::min(1.0f, point.roughness * point.roughness + 0.5f * light.radius);
    const float a2 = alpha * alpha;
    const float d = nh * nh * (a2 - 1.0f) + 1.0f;
    const float smith = nl * std::sqrt(nv * nv * (1.0f - a2) + a2) + nv * std::sqrt(nl * nl * (1.0f - a2) + a2);
    const float specular = a2 / (d * d) * 0.5f / smith;  // × π, as the lights are irradiance / π
    const float away = 1.0f - vh;
    const Vec3 fresnel = f0 + (Vec3::Ones() - f0) * (away * away * away * away * away);
    return (std::min(specular, 30.0f) * nl) * fresnel.cwiseProduct(light.color);
}

// How much of a mirror image a rough surface reflects, integrated over all directions [Karis2014].
Vec3 mirror_share(const Vec3& f0, float roughness, float nv) {
    const Vec4 c0(-1.0f, -0.0275f, -0.572f, 0.022f), c1(1.0f, 0.0425f, 1.04f, -0.04f);
    const Vec4 r = roughness * c0 + c1;
    const float a004 = std::min(r.x() * r.x(), std::exp2(-9.28f * nv)) * r.x() + r.y();
    return f0 * (-1.04f * a004 + r.z()) + Vec3::Constant(1.04f * a004 + r.w());
}

float lambert(const Vec3& normal, const Light& light) {
    return std::max(0.0f, normal.dot(light.direction));
}

}  // namespace

Vec3 shade(const ShadePoint& point, const Studio& studio, const Visibility& light) {
    const Vec3 f0 = Vec3::Constant(0.04f * (1.0f - point.metallic)) + point.metallic * point.base_color;
    const Vec3 diffuse_color = (1.0f - point.metallic) * point.base_color;
    // Bright surfaces light up their own creases [Jimenez2016, simplified].
    const Vec3 sky =
        (Vec3::Ones() - 0.6f * diffuse_color) * (light.sky * light.sky - light.sky) + Vec3::Constant(light.sky);

    // The fill light has no shadow rays of its own: it takes the sky's shadows.
    const float fill = light.sky * std::max(0.0f, 0.75f * point.normal.dot(studio.fill.direction) + 0.25f);
    Vec3 incoming = ambient(studio, point.normal).cwiseProduct(sky);
    incoming += light.key * lambert(point.normal, studio.key) * studio.key.color;
    incoming += fill * studio.fill.color;
    incoming += light.rim * lambert(point.normal, studio.rim) * studio.rim.color;

    const float nv = std::max(0.0f, point.normal.dot(point.view));
    const Vec3 mirrored = 2.0f * nv * point.normal - point.view;
    Vec3 specular = light.key * highlight(point, f0, studio.key) + light.rim * highlight(point, f0, studio.rim) +
                    light.sky * highlight(point, f0, studio.fill);
    specular +=
        light.sky * mirror_share(f0, point.roughness, nv).cwiseProduct(reflected(studio, mirrored, point.roughness));
    return tone_curve(diffuse_color.cwiseProduct(incoming) + specular + point.emissive);
}

Vec3 shade_ground(const Vec3& backdrop, const Visibility& light) {
    // Where almost no sky is visible, as under a sole, almost no light is left.
    const float closed = 1.0f - light.sky * light.sky;
    const Vec3 missing_key = Vec3(0.36f, 0.35f, 0.33f) * (1.0f - light.key);
    const Vec3 missing_sky = Vec3(0.66f, 0.65f, 0.63f) * closed;
    return backdrop.cwiseProduct(Vec3::Ones() - missing_key).cwiseProduct(Vec3::Ones() - missing_sky);
}

}  // namespace sinew
