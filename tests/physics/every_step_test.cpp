// What holds for every simulation: no allocation in a step, and the same bits for any number of threads.
#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/physics/cloth/cloth.h>
#include <sinew/physics/cloth/patches.h>
#include <sinew/physics/particles/particles.h>
#include <sinew/physics/spheres/sphere_world.h>
#include <support/count_allocations.h>
#include <cmath>
#include <cstring>

#include "cloth/grid_mesh.h"

using namespace sinew;

namespace {

// A sheet held at its top, and a ball that swings through it and is back after a second.
struct Swing {
    test::GridMesh mesh = test::grid(24, 24, 0.03f, 0.03f);
    Cloth cloth{mesh.positions, mesh.triangles};
    test::GridMesh ball = test::ball(0.12f, 10, 16);
    std::vector<Vec3> now = ball.positions, before = ball.positions;
    SurfaceTree skin{ball.positions, ball.triangles};
    std::vector<Collider> solid = {{.shape = ColliderShape::capsule, .b = Vec3d(0.2, 0, 0), .radius = 0.05}};
    Wind wind{.velocity = Vec3d(0.5, 0, 0.5)};
    double time = 0.0;

    Swing() {
        for (uint32_t i = 0; i < 24; ++i) cloth.pin(i);
    }
    void step() {
        time += 1.0 / 60.0;
        const auto z = static_cast<float>(0.3 * std::cos(2.0 * M_PI * time));
        std::swap(now, before);
        for (size_t v = 0; v < now.size(); ++v) now[v] = ball.positions[v] + Vec3(0.35f, -0.4f, z);
        skin.move(now);
        const ClothBody body{&skin, before};
        solid[0].a = Vec3d(0.1, -0.6, -z), solid[0].b = Vec3d(0.5, -0.6, -z);
        cloth.step(1.0f / 60.0f, {.colliders = solid, .bodies = {&body, 1}, .wind = &wind, .time = time});
    }
};

SphereWorld full_box() {
    SphereWorld world;
    for (int k = 0; k < 3; ++k)
        for (const double side : {-1.0, 1.0})
            world.colliders.push_back(
                {.shape = ColliderShape::plane, .a = Vec3d::Constant(0.3 * side), .normal = -side * Vec3d::Unit(k)});
    Random random(4);
    for (int i = 0; i < 200; ++i)
        world.spheres.push_back(
            {.position = Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)) * 0.25,
             .radius = 0.02});
    return world;
}

Particles fountain() {
    return Particles(
        {.speed = 3.0f, .spread = 0.4f, .rate = 2000.0f, .life = 0.5f, .drag = 0.5f, .eddies = 1.0f, .most = 1500}, 3);
}

size_t allocations_of(const auto& steps) {
    const size_t before = test::allocations;
    steps();
    return test::allocations - before;
}

}  // namespace

TEST_CASE("physics: nothing is allocated in a step") {
    set_thread_count(1);
    Swing swing;
    for (int i = 0; i < 300; ++i) swing.step();
    CHECK(allocations_of([&] {
              for (int i = 0; i < 60; ++i) swing.step();
          }) == 0);
    SphereWorld world = full_box();
    for (int i = 0; i < 60; ++i) world.step(1.0 / 60.0);
    CHECK(allocations_of([&] {
              for (int i = 0; i < 60; ++i) world.step(1.0 / 60.0);
          }) == 0);
    Particles particles = fountain();
    const std::vector<Collider> floor = {{.shape = ColliderShape::plane}};
    for (int i = 0; i < 60; ++i) particles.step(1.0f / 60.0f, {.colliders = floor});
    CHECK(allocations_of([&] {
              for (int i = 0; i < 60; ++i) particles.step(1.0f / 60.0f, {.colliders = floor});
          }) == 0);
    set_thread_count(0);
}

TEST_CASE("physics: one, two and eight threads give the same bits") {
    std::vector<Vec3> cloth[3], drops[3];
    std::vector<Transform> joints[3];
    constexpr int threads[3] = {1, 2, 8};
    for (size_t k = 0; k < 3; ++k) {
        set_thread_count(threads[k]);
        Swing swing;
        Particles particles = fountain();
        const Wind wind{.velocity = Vec3d(1, 0, 0), .gusts = 0.5};
        const std::vector<Collider> floor = {{.shape = ColliderShape::plane, .a = Vec3d(0, -0.2, 0)}};
        for (int i = 0; i < 40; ++i) {
            swing.step();
            particles.step(1.0f / 60.0f, {.wind = &wind, .colliders = floor});
            for (size_t v = 0; v < swing.cloth.size(); ++v) cloth[k].push_back(swing.cloth.position(v));
            for (size_t p = 0; p < particles.slots(); ++p) drops[k].push_back(particles.position(p));
        }
        joints[k] = fit_patches(swing.mesh.positions, swing.mesh.triangles, cloth[k], {.joints = 24}).frames;
    }
    set_thread_count(0);
    for (size_t k = 1; k < 3; ++k) {
        CHECK(std::memcmp(cloth[0].data(), cloth[k].data(), cloth[0].size() * sizeof(Vec3)) == 0);
        CHECK(std::memcmp(drops[0].data(), drops[k].data(), drops[0].size() * sizeof(Vec3)) == 0);
        REQUIRE(joints[0].size() == joints[k].size());
        for (size_t j = 0; j < joints[0].size(); ++j) {
            CHECK(joints[0][j].translation == joints[k][j].translation);
            CHECK(joints[0][j].rotation.coeffs() == joints[k][j].rotation.coeffs());
        }
    }
}
