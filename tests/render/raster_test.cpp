#include <doctest/doctest.h>
#include <sinew/core/random.h>
#include <sinew/render/raster/coverage.h>
#include <sinew/render/raster/light_buffer.h>
#include <bit>

#include "render/shapes.h"

using namespace sinew;

namespace {

// Triangles without anything else to them.
struct Soup {
    std::vector<uint32_t> triangles;
    std::vector<Vec2> uvs;
    SceneSurface surface;

    void add(const Vec3& a, const Vec3& b, const Vec3& c) {
        for (const Vec3& p : {a, b, c}) {
            triangles.push_back(static_cast<uint32_t>(surface.positions.size()));
            surface.positions.push_back(p);
            surface.normals.push_back((b - a).cross(c - a).stableNormalized());
        }
        surface.triangles = triangles;
    }
    // The rectangle corner + [0, 1] a + [0, 1] b.
    void add_plate(const Vec3& corner, const Vec3& a, const Vec3& b) {
        add(corner, corner + a, corner + a + b);
        add(corner, corner + a + b, corner + b);
        for (const Vec2& uv : {Vec2(0, 1), Vec2(1, 1), Vec2(1, 0), Vec2(0, 1), Vec2(1, 0), Vec2(0, 0)})
            uvs.push_back(uv);
    }
    std::span<const SceneSurface> surfaces() const { return {&surface, 1}; }
};

constexpr GroundPlane no_ground{-INFINITY};

Camera camera_at(const Vec3& eye, int32_t width, int32_t height) {
    Camera camera = make_camera({0.0f, 0.0f}, width, height);
    camera.eye = eye;
    return camera;
}

SceneSurface surface_of(const Mesh& mesh) {
    SceneSurface surface;
    surface.triangles = mesh.triangles;
    surface.positions = mesh.positions;
    surface.normals = mesh.normals;
    return surface;
}

// The nearest triangle on a ray, by trying all.
int32_t nearest_triangle(const SceneSurface& surface, const Vec3& origin, const Vec3& direction) {
    int32_t nearest = -1;
    float least = INFINITY;
    for (uint32_t t = 0; t < surface.triangles.size() / 3; ++t) {
        const auto c = corners(surface, t);
        const Vec3& a = surface.positions[c[0]];
        const Vec3 e1 = surface.positions[c[1]] - a, e2 = surface.positions[c[2]] - a, p = direction.cross(e2);
        const float det = e1.dot(p);
        const Vec3 s = origin - a, q = s.cross(e1);
        const float u = s.dot(p) / det, v = direction.dot(q) / det, at = e2.dot(q) / det;
        if (!(u >= 0.0f && v >= 0.0f && u + v <= 1.0f && at > 1e-4f && at < least)) continue;
        least = at;
        nearest = static_cast<int32_t>(t);
    }
    return nearest;
}

// A light straight above.
Light overhead(float radius) {
    return {.direction = Vec3::UnitY(), .color = Vec3::Ones(), .radius = radius};
}

}  // namespace

TEST_CASE("coverage: every sample sees the triangle that a ray through it meets first") {
    Random random(5);
    Soup soup;
    const auto anywhere = [&] { return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
    for (int i = 0; i < 40; ++i) {
        const Vec3 middle = anywhere();
        soup.add(middle + 0.6f * anywhere(), middle + 0.6f * anywhere(), middle + 0.6f * anywhere());
    }
    // Some of the triangles are behind the eye of the second camera, or reach there.
    for (float distance : {4.0f, 0.2f}) {
        const Camera camera = camera_at({0, 0, distance}, 40, 35);
        Coverage coverage(3);
        coverage.draw(soup.surfaces(), camera, no_ground);
        int differ = 0, all = 0, met = 0;
        for (int32_t y = 0; y < camera.height; ++y)
            for (int32_t x = 0; x < camera.width; ++x)
                for (size_t s = 0; s < coverage.offsets().size(); ++s) {
                    const Vec2 at = Vec2(static_cast<float>(x), static_cast<float>(y)) + coverage.offsets()[s];
                    const int32_t expected = nearest_triangle(soup.surface, camera.eye, camera.toward(at.x(), at.y()));
                    int32_t seen = -1;
                    for (const Fragment& fragment : coverage.solid(x, y))
                        if ((fragment.samples >> s & 1) != 0) seen = static_cast<int32_t>(fragment.triangle);
                    differ += seen != expected ? 1 : 0;
                    met += expected >= 0 ? 1 : 0;
                    ++all;
                }
        MESSAGE(differ, " of ", all, " samples differ");
        CHECK(met > all / 4);
        CHECK(differ * 1000 < all);  // on the very edge of a triangle either answer is right
    }
}

TEST_CASE("coverage: no sample falls between two triangles that share an edge") {
    Random random(7);
    Soup soup;
    // A disc of thin slices around a point that is no grid point.
    const Vec3 hub(0.013f, -0.027f, 0);
    constexpr int slices = 97;
    const auto rim = [&](int i) {
        const float turn = 2.0f * pi * static_cast<float>(i % slices) / static_cast<float>(slices);
        return Vec3(hub + Vec3(std::cos(turn), std::sin(turn), 0));
    };
    for (int i = 0; i < slices; ++i) soup.add(hub, rim(i), rim(i + 1));
    const Camera camera = camera_at({0, 0, 2.0f}, 64, 64);
    Coverage coverage(4);
    coverage.draw(soup.surfaces(), camera, no_ground);
    for (int32_t y = 0; y < 64; ++y)
        for (int32_t x = 0; x < 64; ++x) {
            uint64_t seen = 0;
            for (const Fragment& fragment : coverage.solid(x, y)) {
                CHECK((seen & fragment.samples) == 0);
                seen |= fragment.samples;
            }
            CHECK(std::popcount(seen) == 16);
        }
}

TEST_CASE("coverage: the ground hides what is below it") {
    Soup soup;
    soup.add_plate({-1, -1, 0}, {2, 0, 0}, {0, 2, 0});
    Camera camera = make_camera({0.0f, radians(20.0f)}, 40, 40);
    camera.eye = -4.0f * camera.forward;
    Coverage coverage(1);
    coverage.draw(soup.surfaces(), camera, {0.0f});
    for (float height : {-0.5f, -0.1f, 0.1f, 0.5f}) {
        const Vec3 at = camera.project({0, height, 0});
        CHECK(coverage.solid(static_cast<int32_t>(at.x()), static_cast<int32_t>(at.y())).empty() == (height < 0.0f));
    }
}

TEST_CASE("coverage: a cut-out is seen through where its texture is clear; blended surfaces come nearest first") {
    // Left half opaque, right half clear.
    const Texture texture(
        ImagePixels{4, 1, {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 255, 255, 255, 0}});
    Soup soup;
    soup.add_plate({-1, -1, 0}, {2, 0, 0}, {0, 2, 0});
    soup.surface.uvs = soup.uvs;
    soup.surface.texture = &texture;
    soup.surface.material.alpha_mode = AlphaMode::mask;
    const Camera camera = camera_at({0, 0, 3.0f}, 32, 32);
    Coverage coverage(2);
    coverage.draw(soup.surfaces(), camera, no_ground);
    CHECK_FALSE(coverage.solid(10, 16).empty());
    CHECK(coverage.solid(22, 16).empty());

    std::vector<SceneSurface> layers(3, soup.surface);
    for (size_t i = 0; i < 3; ++i) {
        layers[i].texture = nullptr;
        layers[i].material.alpha_mode = i == 1 ? AlphaMode::opaque : AlphaMode::blend;
        for (Vec3& p : layers[i].positions) p.z() = 0.1f * static_cast<float>(i);
    }
    layers.push_back(layers[2]);
    for (Vec3& p : layers[3].positions) p.z() = 0.15f;
    coverage.draw(layers, camera, no_ground);
    const auto clear = coverage.clear(16, 16);
    REQUIRE(clear.size() >= 2);
    CHECK(clear.front().surface == 2);
    CHECK(clear.back().surface == 3);
    for (const Fragment& fragment : clear) CHECK(fragment.surface != 0);  // behind the solid one
}

TEST_CASE("surface: a point lies on the line of sight, with normals towards the eye; textures are found by their UVs") {
    const Texture texture(ImagePixels{2, 2, {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255}});
    Soup soup;
    soup.add_plate({-1, -1, -3}, {2, 0, 0}, {0, 2, 0});
    soup.surface.uvs = soup.uvs;
    soup.surface.texture = &texture;
    const auto look = [&](const Vec3& eye, const Vec3& target) {
        const Vec3 toward = target - eye;
        const auto t = static_cast<uint32_t>(nearest_triangle(soup.surface, eye, toward));
        return seen_point(soup.surface, t, barycentric_on_line(soup.surface, t, eye, toward), eye);
    };
    for (const Vec3& eye : {Vec3(0.3f, 0.1f, 2), Vec3(0.3f, 0.1f, -9)}) {
        const SeenPoint point = look(eye, {0.25f, -0.5f, -3});
        CHECK((point.position - Vec3(0.25f, -0.5f, -3)).norm() < 1e-5f);
        CHECK(point.normal.z() == doctest::Approx(eye.z() > -3.0f ? 1.0f : -1.0f));
    }
    const auto color = [&](float x, float y) { return Vec4(base_color(look({x, y, 1}, {x, y, -3}), 0.0f)); };
    CHECK((color(-0.5f, 0.5f) - Vec4(1, 0, 0, 1)).norm() < 1e-3f);
    CHECK((color(0.5f, 0.5f) - Vec4(0, 1, 0, 1)).norm() < 1e-3f);
    CHECK((color(-0.5f, -0.5f) - Vec4(0, 0, 1, 1)).norm() < 1e-3f);
}

// Under a wide plate at height h that ends at x = 0, half of the light arrives at x = 0, and all or none at
// x = ±h tan(radius), whatever h is.
TEST_CASE("shadow map: a half-shadow is as wide as the light and the distance make it") {
    for (float height : {0.15f, 0.4f}) {
        Soup soup;
        soup.add_plate({-0.8f, height, -0.8f}, {0, 0, 1.6f}, {0.8f, 0, 0});
        soup.add_plate({-0.8f, 0, -0.8f}, {0, 0, 1.6f}, {1.6f, 0, 0});
        ShadowMap map;
        map.draw(soup.surfaces(), overhead(radians(8.0f)), {Vec3::Zero(), 1.2f}, 512);
        const auto arrives = [&](float x) {
            float sum = 0.0f;
            for (int32_t pattern = 0; pattern < pattern_count; ++pattern)
                sum += map.arrives({x, 0, 0.1f}, Vec3::UnitY(), pattern) / static_cast<float>(pattern_count);
            return sum;
        };
        const float width = height * std::tan(radians(8.0f));
        CHECK(arrives(-1.3f * width) < 0.02f);
        CHECK(arrives(0.0f) == doctest::Approx(0.5f).epsilon(0.2));
        CHECK(arrives(1.3f * width) > 0.98f);
        CHECK(arrives(-0.4f * width) < 0.42f);
        CHECK(arrives(0.4f * width) > 0.58f);

        const Soup plate = [&] {
            Soup only;
            only.add_plate({-0.8f, height, -0.8f}, {0, 0, 1.6f}, {0.8f, 0, 0});
            return only;
        }();
        ShadowMap above;
        above.draw(plate.surfaces(), overhead(radians(8.0f)), {Vec3::Zero(), 1.2f}, 512);
        CHECK(above.arrives_on_ground({-1.3f * width, 0, 0}) < 0.05f);
        CHECK(above.arrives_on_ground({0, 0, 0}) == doctest::Approx(0.5f).epsilon(0.2));
        CHECK(above.arrives_on_ground({1.3f * width, 0, 0}) > 0.95f);
    }
}

// On a coarse sphere with smooth normals, points that the smooth surface would have lit must not be shadowed by the
// sphere's own facets.
TEST_CASE("shadow map: a coarse sphere casts no shadow of its own facets where it faces the light") {
    const Mesh mesh = test::sphere_mesh(Vec3::Zero(), 0.5f, 10, 6);
    const SceneSurface surface = surface_of(mesh);
    Light light = overhead(radians(6.0f));
    light.direction = Vec3(1.0f, 0.7f, 0.4f).normalized();
    ShadowMap map;
    map.draw({&surface, 1}, light, {Vec3::Zero(), 0.52f}, 512);
    double lit = 0.0, count = 0.0;
    for (uint32_t t = 0; t < surface.triangles.size() / 3; ++t)
        for (int i = 0; i < 16; ++i) {
            const float u = 0.06f + 0.05f * static_cast<float>(i), v = 0.5f * (1.0f - u);
            const SeenPoint point = seen_point(surface, t, {1.0f - u - v, u, v}, Vec3(3, 2, 1));
            if (point.normal.dot(light.direction) < 0.1f || point.face_normal.dot(point.position) < 0.1f)
                continue;  // turned away from the light, or from the eye
            lit += map.arrives(shadow_origin(point), point.normal, i % pattern_count);
            count += 1.0;
        }
    CHECK(count > 300);
    CHECK(lit > 0.99 * count);
}

// At the foot of a wall that reaches farther than anything counts, half of the sky is open; on an open plain all of it.
TEST_CASE("sky: open on a plain, half open at a wall, closed in a slot") {
    Soup soup;
    soup.add_plate({-1, 0, -1}, {0, 0, 2}, {2, 0, 0});
    soup.add_plate({0, 0, -1}, {0, 0, 2}, {0, 0.5f, 0});
    soup.add_plate({0.06f, 0, -1}, {0, 0, 2}, {0, 0.5f, 0});
    SurfacePoints points(soup.surfaces(), 2.0f, 1.0f / 400.0f);
    SkyMaps sky;
    sky.draw(points, {Vec3::Zero(), 1.6f});
    const auto open = [&](float x) {
        float sum = 0.0f;
        for (int32_t pattern = 0; pattern < pattern_count; ++pattern)
            sum += sky.open({x, 0, 0.05f}, Vec3::UnitY(), pattern) / static_cast<float>(pattern_count);
        return sum;
    };
    CHECK(open(-0.95f) > 0.95f);
    CHECK(open(-0.015f) == doctest::Approx(0.5f).epsilon(0.15));
    CHECK(open(-0.3f) > open(-0.1f));
    CHECK(open(0.03f) < 0.2f);

    // A plate just above the ground closes the sky under it; of one at height h over a point, the share 1 − sin² of the
    // angle to its rim stays open.
    constexpr float height = 0.2f, radius = 0.3f;
    Soup disc;
    for (int i = 0; i < 64; ++i) {
        const float a = 2.0f * pi * static_cast<float>(i) / 64.0f, b = 2.0f * pi * static_cast<float>(i + 1) / 64.0f;
        disc.add({0, height, 0}, {radius * std::cos(b), height, radius * std::sin(b)},
                 {radius * std::cos(a), height, radius * std::sin(a)});
    }
    const SurfacePoints fine(disc.surfaces(), 1.0f, 1.0f / 200.0f), sparse(disc.surfaces(), 1.0f, 1.0f / 80.0f);
    GroundSky ground;
    ground.draw(fine, sparse, {Vec3(0, height, 0), 0.4f}, 0.0f);
    const float expected = height * height / (height * height + radius * radius);
    CHECK(ground.open({0, 0, 0}) == doctest::Approx(expected).epsilon(0.12));
    CHECK(ground.open({0.85f, 0, 0}) > 0.9f);
    ground.draw(fine, sparse, {Vec3(0, height, 0), 0.4f}, height - 0.01f);
    CHECK(ground.open({0, height - 0.01f, 0}) < 0.1f);
}

TEST_CASE("sky: the points on a surface are evenly spread, and few however many triangles there are") {
    for (uint32_t columns : {16u, 128u, 600u}) {
        const Mesh mesh = test::sphere_mesh(Vec3::Zero(), 0.5f, columns, columns / 2);
        const SceneSurface surface = surface_of(mesh);
        const SurfacePoints points({&surface, 1}, 1.0f, 1.0f / 100.0f);
        CHECK(points.positions().size() > 10000);
        CHECK(points.positions().size() < 130000);
    }
}
