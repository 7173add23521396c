#include <doctest/doctest.h>
#include <sinew/render/scene/scene.h>

#include "render/shapes.h"

using namespace sinew;

namespace {

// The square [−1, 1]² in the plane z = depth, facing +Z.
struct Square {
    std::vector<uint32_t> triangles = {0, 1, 2, 0, 2, 3};
    std::vector<Vec2> uvs = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};

    SceneSurface surface(float depth) const {
        SceneSurface s;
        s.triangles = triangles;
        s.uvs = uvs;
        s.positions = {{-1, -1, depth}, {1, -1, depth}, {1, 1, depth}, {-1, 1, depth}};
        s.normals.assign(4, Vec3::UnitZ());
        return s;
    }
};

Scene scene_of(SceneSurface surface) {
    std::vector<SceneSurface> surfaces;
    surfaces.push_back(std::move(surface));
    return Scene(std::move(surfaces));
}

}  // namespace

TEST_CASE("scene: a plane is met at its depth, from both sides, with normals towards the ray") {
    const Square square;
    const Scene scene = scene_of(square.surface(-3.0f));
    const auto front = scene.intersect({.origin = Vec3(0.25f, -0.5f, 2.0f), .direction = -Vec3::UnitZ()});
    REQUIRE(front);
    CHECK(front->distance == doctest::Approx(5.0f));
    CHECK((front->position - Vec3(0.25f, -0.5f, -3.0f)).norm() < 1e-5f);
    CHECK((front->normal - Vec3(0, 0, 1)).norm() < 1e-6f);
    const auto back = scene.intersect({.origin = Vec3(0.25f, -0.5f, -9.0f), .direction = Vec3::UnitZ()});
    REQUIRE(back);
    CHECK(back->distance == doctest::Approx(6.0f));
    CHECK((back->normal - Vec3(0, 0, -1)).norm() < 1e-6f);
    CHECK_FALSE(scene.intersect({.origin = Vec3(1.5f, 0, 2), .direction = -Vec3::UnitZ()}));
    CHECK_FALSE(scene.intersect({.origin = Vec3(0, 0, 2), .direction = -Vec3::UnitZ(), .far = 4.9f}));
    CHECK(scene.occluded({.origin = Vec3(0, 0, 2), .direction = -Vec3::UnitZ()}));
    CHECK_FALSE(scene.occluded({.origin = Vec3(0, 0, 2), .direction = -Vec3::UnitZ(), .far = 4.9f}));
}

TEST_CASE("scene: update() moves what rays meet") {
    const Square square;
    Scene scene = scene_of(square.surface(0.0f));
    for (Vec3& p : scene.surfaces()[0].positions) p += Vec3(0.0f, 5.0f, -1.0f);
    scene.update();
    CHECK_FALSE(scene.intersect({.origin = Vec3(0, 0, 2), .direction = -Vec3::UnitZ()}));
    const auto hit = scene.intersect({.origin = Vec3(0, 5, 2), .direction = -Vec3::UnitZ()});
    REQUIRE(hit);
    CHECK(hit->distance == doctest::Approx(3.0f));
}

TEST_CASE("scene: a cut-out lets rays through where its texture is clear, for sight and for shadow") {
    // Left half opaque, right half clear.
    ImagePixels image{4, 1, {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 255, 255, 255, 0}};
    const Texture texture(std::move(image));
    const Square square;
    SceneSurface surface = square.surface(0.0f);
    surface.texture = &texture;
    surface.material.alpha_mode = AlphaMode::mask;
    const Scene scene = scene_of(std::move(surface));
    const Ray left{.origin = Vec3(-0.4f, 0.2f, 1.0f), .direction = -Vec3::UnitZ()};
    const Ray right{.origin = Vec3(0.4f, 0.2f, 1.0f), .direction = -Vec3::UnitZ()};
    CHECK(scene.intersect(left));
    CHECK_FALSE(scene.intersect(right));
    CHECK(scene.occluded(left));
    CHECK_FALSE(scene.occluded(right));
}

TEST_CASE("scene: the texture is looked up where the UVs say") {
    ImagePixels image{2, 2, {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255}};
    const Texture texture(std::move(image));
    const Square square;
    SceneSurface surface = square.surface(0.0f);
    surface.texture = &texture;
    const Scene scene = scene_of(std::move(surface));
    const auto color = [&](float x, float y) {
        return Vec4(base_color(*scene.intersect({.origin = Vec3(x, y, 1), .direction = -Vec3::UnitZ()}), 0.0f));
    };
    CHECK((color(-0.5f, 0.5f) - Vec4(1, 0, 0, 1)).norm() < 1e-3f);
    CHECK((color(0.5f, 0.5f) - Vec4(0, 1, 0, 1)).norm() < 1e-3f);
    CHECK((color(-0.5f, -0.5f) - Vec4(0, 0, 1, 1)).norm() < 1e-3f);
}

// On a coarse sphere with smooth normals, points that the smooth surface would have lit must not be shadowed by the
// sphere's own facets, as they are when shadow rays start on the facets themselves.
TEST_CASE("scene: shadow rays from a coarse sphere do not meet its own facets") {
    const Mesh mesh = test::sphere_mesh(Vec3::Zero(), 0.5f, 10, 6);
    SceneSurface surface;
    surface.triangles = mesh.triangles;
    surface.positions = mesh.positions;
    surface.normals = mesh.normals;
    const Scene scene = scene_of(std::move(surface));
    const Vec3 light = Vec3(1.0f, 0.7f, 0.4f).normalized();
    int lit = 0, shadowed = 0, shadowed_from_facets = 0;
    for (int y = -50; y <= 50; ++y) {
        for (int x = -50; x <= 50; ++x) {
            const Vec3 origin(0.01f * static_cast<float>(x), 0.01f * static_cast<float>(y), 2.0f);
            const auto hit = scene.intersect({.origin = origin, .direction = -Vec3::UnitZ()});
            if (!hit || hit->normal.dot(light) < 0.1f) continue;
            ++lit;
            shadowed += scene.occluded({.origin = shadow_origin(*hit), .direction = light});
            const Vec3 on_facet = hit->position + 2e-5f * hit->face_normal;
            shadowed_from_facets += scene.occluded({.origin = on_facet, .direction = light});
        }
    }
    CHECK(lit > 1000);
    CHECK(shadowed_from_facets > lit / 50);
    CHECK(shadowed * 1000 <= lit);
}
