#include <sinew/render/scene/lighting.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

namespace {

constexpr float sky_reach = 0.5f;  // things farther away do not shade ambient light
constexpr int tile = 4;
constexpr int rays_per_pixel = 8;
constexpr int ground_rays = 12;

// Which of 16 interleaved subsets each pixel of a 4×4 tile takes; neighbours are far apart in this order.
constexpr std::array<int, 16> tile_order = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};

// The n-th point of a sequence that fills the unit square evenly at every length [Roberts2018].
Vec2 spread(int n) {
    const double x = 0.5 + 0.7548776662466927 * n;
    const double y = 0.5 + 0.5698402909980532 * n;
    return {static_cast<float>(x - std::floor(x)), static_cast<float>(y - std::floor(y))};
}

// Where in the sequence a 4×4 tile of ground begins. If all tiles began alike, each ray direction would leave a faint,
// sharp ghost of the figure on the ground.
int tile_start(int32_t x, int32_t y) {
    uint32_t h = static_cast<uint32_t>(x / tile) * 0x9e3779b1u ^ static_cast<uint32_t>(y / tile) * 0x85ebca77u;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    return static_cast<int>((h ^ (h >> 12)) & 0xffffu) * tile * tile;
}

// Two directions that make a right-handed frame with a unit `axis` [Duff2017].
std::array<Vec3, 2> frame_around(const Vec3& axis) {
    const float sign = std::copysign(1.0f, axis.z());
    const float a = -1.0f / (sign + axis.z());
    const float b = axis.x() * axis.y() * a;
    return {Vec3(1.0f + sign * axis.x() * axis.x() * a, sign * b, -sign * axis.x()),
            Vec3(b, sign + axis.y() * axis.y() * a, -axis.y())};
}

Vec3 around(const Vec3& axis, const std::array<Vec3, 2>& frame, float cosine, float turn) {
    const float sine = std::sqrt(std::max(0.0f, 1.0f - cosine * cosine));
    const float angle = 2.0f * pi * turn;
    return cosine * axis + sine * (std::cos(angle) * frame[0] + std::sin(angle) * frame[1]);
}

// 1 for equal light, 0 for light that differs by more than noise.
float alike(const Visibility& a, const Visibility& b) {
    const float apart = std::max(std::abs(a.key - b.key), std::abs(a.sky - b.sky)) / 0.09f;
    return std::max(0.0f, 1.0f - apart * apart);
}

struct Spot {
    Vec3 origin;
    Vec3 normal;
};

float visible_part(const Scene& scene, const Spot& spot, const Light& light, int first, int stride, int rays) {
    if (spot.normal.dot(light.direction) < -0.2f) return 0.0f;
    const auto frame = frame_around(light.direction);
    const float cap = 1.0f - std::cos(light.radius);
    int open = 0;
    for (int i = 0; i < rays; ++i) {
        const Vec2 u = spread(first + stride * i);
        const Vec3 direction = around(light.direction, frame, 1.0f - cap * u.x(), u.y());
        open += scene.occluded({.origin = spot.origin, .direction = direction}) ? 0 : 1;
    }
    return static_cast<float>(open) / static_cast<float>(rays);
}

float open_sky(const Scene& scene, const Spot& spot, int first, int stride, int rays) {
    const auto frame = frame_around(spot.normal);
    int open = 0;
    for (int i = 0; i < rays; ++i) {
        const Vec2 u = spread(first + stride * i);
        const Vec3 direction = around(spot.normal, frame, std::sqrt(u.x()), u.y());
        open += scene.occluded({.origin = spot.origin, .direction = direction, .far = sky_reach}) ? 0 : 1;
    }
    return static_cast<float>(open) / static_cast<float>(rays);
}

// True where no ray towards the light can meet the sphere around the figure.
bool misses_sphere(const Stage& stage, const Vec3& origin, const Light& light) {
    const Vec3 offset = stage.center - origin;
    const float distance = offset.norm();
    if (distance <= stage.radius) return false;
    const float angle = std::acos(std::clamp(offset.dot(light.direction) / distance, -1.0f, 1.0f));
    return angle > light.radius + std::asin(stage.radius / distance);
}

Visibility trace_light(const Stage& stage, const Sight& sight, int first, int stride, int rays) {
    Visibility light;
    if (sight.kind == Kind::figure) {
        const Spot spot{shadow_origin(sight.hit), sight.normal};
        light.key = visible_part(stage.scene, spot, stage.studio.key, first, stride, rays);
        light.rim = visible_part(stage.scene, spot, stage.studio.rim, first, stride, std::max(1, rays / 2));
        light.sky = open_sky(stage.scene, spot, first, stride, rays);
    } else if (sight.kind == Kind::ground) {
        const Spot spot{sight.position + Vec3(0.0f, 2e-5f, 0.0f), Vec3::UnitY()};
        if (!misses_sphere(stage, sight.position, stage.studio.key))
            light.key = visible_part(stage.scene, spot, stage.studio.key, first, stride, rays);
        if ((stage.center - sight.position).norm() < stage.radius + sky_reach)
            light.sky = open_sky(stage.scene, spot, first, stride, rays);
    }
    return light;
}

}  // namespace

bool may_meet_figure(const Stage& stage, const Vec3& direction) {
    const Vec3 offset = stage.center - stage.camera.eye;
    const float along = offset.dot(direction);
    return offset.squaredNorm() - along * along <= stage.radius * stage.radius;
}

Sight look(const Stage& stage, float x, float y, float near) {
    Sight sight;
    const Ray ray{.origin = stage.camera.eye, .direction = stage.camera.direction(x, y)};
    float reach = INFINITY;
    if (ray.direction.y() < -1e-6f) {
        const float t = (stage.ground - ray.origin.y()) / ray.direction.y();
        if (t > 0.0f) {
            sight.kind = Kind::ground;
            sight.position = ray.origin + t * ray.direction;
            sight.position.y() = stage.ground;
            reach = t;
        }
    }
    if (!may_meet_figure(stage, ray.direction)) return sight;
    // By rounding, things that stand on the ground may reach slightly below it.
    if (const auto hit = stage.scene.intersect({ray.origin, ray.direction, near, reach + 1e-3f})) {
        sight.kind = Kind::figure;
        sight.position = hit->position;
        sight.normal = hit->normal;
        sight.hit = *hit;
    }
    return sight;
}

LightBuffer::LightBuffer(const Stage& stage) : stage_(stage) {
    const int32_t width = stage_.camera.width;
    const size_t rows = static_cast<size_t>(stage_.camera.height);
    pixels_.resize(static_cast<size_t>(width) * rows);
    parallel_for(rows, 4, [&](size_t begin, size_t end) {
        for (int32_t y = static_cast<int32_t>(begin); y < static_cast<int32_t>(end); ++y) {
            for (int32_t x = 0; x < width; ++x) {
                const Sight sight = look(stage_, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
                const bool ground = sight.kind == Kind::ground;
                const int first =
                    tile_order[static_cast<size_t>(tile * (y % tile) + x % tile)] + (ground ? tile_start(x, y) : 0);
                const int rays = ground ? ground_rays : rays_per_pixel;
                pixels_[index(x, y)] = {sight.kind, sight.hit.surface, sight.position, sight.normal,
                                        trace_light(stage_, sight, first, tile * tile, rays)};
            }
        }
    });
    // Average once over the pattern; on the ground, where light changes slowly, again over a wider neighbourhood.
    for (int32_t step : {1, 2, 4}) {
        std::vector<Visibility> result(pixels_.size());
        parallel_for(rows, 4, [&](size_t begin, size_t end) {
            for (int32_t y = static_cast<int32_t>(begin); y < static_cast<int32_t>(end); ++y)
                for (int32_t x = 0; x < width; ++x) result[index(x, y)] = smoothed(x, y, step);
        });
        for (size_t i = 0; i < pixels_.size(); ++i) pixels_[i].light = result[i];
    }
}

float LightBuffer::likeness(const Pixel& pixel, Kind kind, const Vec3& position, const Vec3& normal,
                            float footprint) const {
    if (pixel.kind != kind) return 0.0f;
    if (kind == Kind::ground) return 1.0f;
    const float facing = pixel.normal.dot(normal);
    if (facing < 0.6f) return 0.0f;
    const float apart = std::abs(normal.dot(pixel.position - position)) / (2.0f * footprint);
    if (apart > 2.0f) return 0.0f;
    return facing * facing * std::exp(-apart * apart);
}

Visibility LightBuffer::smoothed(int32_t x, int32_t y, int32_t step) const {
    const Pixel& center = pixels_[index(x, y)];
    if (center.kind == Kind::nothing || (step > 1 && center.kind != Kind::ground)) return center.light;
    const float footprint = (center.position - stage_.camera.eye).norm() * stage_.camera.pixel_size();
    Visibility sum{0.0f, 0.0f, 0.0f};
    float total = 0.0f;
    for (int32_t dy = -2; dy <= 2; ++dy) {
        for (int32_t dx = -2; dx <= 2; ++dx) {
            const int32_t px = x + step * dx, py = y + step * dy;
            if (px < 0 || py < 0 || px >= stage_.camera.width || py >= stage_.camera.height) continue;
            const Pixel& pixel = pixels_[index(px, py)];
            // Weights are halved at the rim, so that each pixel of the 4×4 pattern counts once.
            const float period = (std::abs(dx) == 2 ? 0.5f : 1.0f) * (std::abs(dy) == 2 ? 0.5f : 1.0f);
            float weight = period * likeness(pixel, center.kind, center.position, center.normal, footprint);
            // Distant neighbours count only where their light is similar, so that contact shadows stay crisp.
            if (step > 1) weight *= alike(pixel.light, center.light);
            sum.key += weight * pixel.light.key;
            sum.rim += weight * pixel.light.rim;
            sum.sky += weight * pixel.light.sky;
            total += weight;
        }
    }
    return {sum.key / total, sum.rim / total, sum.sky / total};
}

Visibility LightBuffer::at(const Sight& sight, float x, float y) const {
    const float footprint = (sight.position - stage_.camera.eye).norm() * stage_.camera.pixel_size();
    const int32_t x0 = static_cast<int32_t>(std::floor(x - 0.5f));
    const int32_t y0 = static_cast<int32_t>(std::floor(y - 0.5f));
    // Blend the four nearest pixels bilinearly; if none of them sees this surface, try the ring around them.
    for (int32_t ring = 0; ring < 2; ++ring) {
        Visibility sum{0.0f, 0.0f, 0.0f};
        float total = 0.0f;
        for (int32_t py = std::max(0, y0 - ring); py <= std::min(y0 + 1 + ring, stage_.camera.height - 1); ++py) {
            for (int32_t px = std::max(0, x0 - ring); px <= std::min(x0 + 1 + ring, stage_.camera.width - 1); ++px) {
                const Pixel& pixel = pixels_[index(px, py)];
                const float dx = std::abs(static_cast<float>(px) + 0.5f - x);
                const float dy = std::abs(static_cast<float>(py) + 0.5f - y);
                const float near = ring == 0 ? (1.001f - dx) * (1.001f - dy) : 1.0f;
                const float weight = near * likeness(pixel, sight.kind, sight.position, sight.normal, footprint);
                sum.key += weight * pixel.light.key;
                sum.rim += weight * pixel.light.rim;
                sum.sky += weight * pixel.light.sky;
                total += weight;
            }
        }
        if (total > 1e-4f) return {sum.key / total, sum.rim / total, sum.sky / total};
    }
    return trace_light(stage_, sight, 0, 1, 2 * rays_per_pixel);
}

bool LightBuffer::is_smooth(int32_t x, int32_t y) const {
    const Pixel& center = pixels_[index(x, y)];
    const float footprint = (center.position - stage_.camera.eye).norm() * stage_.camera.pixel_size();
    for (int32_t py = std::max(0, y - 1); py <= std::min(y + 1, stage_.camera.height - 1); ++py) {
        for (int32_t px = std::max(0, x - 1); px <= std::min(x + 1, stage_.camera.width - 1); ++px) {
            const Pixel& pixel = pixels_[index(px, py)];
            if (pixel.kind != center.kind || pixel.surface != center.surface) return false;
            if (center.kind != Kind::figure) continue;
            if (likeness(pixel, center.kind, center.position, center.normal, footprint) < 0.5f) return false;
        }
    }
    return true;
}

}  // namespace sinew
