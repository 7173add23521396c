// Particles against closed forms: throw, drag, a field without sources, bounces; and the kernel against its twin.
#include <doctest/doctest.h>

#include <sinew/physics/particles/particles.h>
#include <cmath>

using namespace sinew;

TEST_CASE("particles: the kernel does what its scalar twin does, for any number of them") {
    const Turbulence eddies = make_turbulence(2.0f, 0.5f, 9);
    for (const size_t count : {1u, 7u, 16u, 1003u}) {
        for (const bool with_eddies : {false, true}) {
            Random random(count);
            std::vector<float> a[6], b[6];
            for (auto& values : a)
                for (size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(random.uniform(-3, 3)));
            for (int k = 0; k < 6; ++k) b[k] = a[k];
            const ParticleStep how{.seconds = 0.02f,
                                   .drag = 1.5f,
                                   .air = Vec3(1, 0, 2),
                                   .eddies = with_eddies ? &eddies : nullptr,
                                   .time = 3.0f,
                                   .floor = true,
                                   .floor_height = -1.0f,
                                   .bounce = 0.5f,
                                   .friction = 0.1f};
            advance_particles(how,
                              {a[0].data(), a[1].data(), a[2].data(), a[3].data(), a[4].data(), a[5].data(), count});
            advance_particles_scalar(
                how, {b[0].data(), b[1].data(), b[2].data(), b[3].data(), b[4].data(), b[5].data(), count});
            float worst = 0.0f;
            for (int k = 0; k < 6; ++k)
                for (size_t i = 0; i < count; ++i) worst = std::max(worst, std::abs(a[k][i] - b[k][i]));
            CHECK(worst < 2e-5f);
        }
    }
}

TEST_CASE("particles: eddies have no sources, and the strength that was asked for") {
    const Turbulence eddies = make_turbulence(2.0f, 0.5f, 5);
    Random random(1);
    double square = 0.0;
    for (int i = 0; i < 4000; ++i) {
        const Vec3 p(static_cast<float>(random.uniform(-5, 5)), static_cast<float>(random.uniform(-5, 5)),
                     static_cast<float>(random.uniform(-5, 5)));
        square += turbulence_at(eddies, p, 0).squaredNorm();
        if (i >= 100) continue;
        const float h = 0.01f;
        double divergence = 0.0, slope = 0.0;
        for (int k = 0; k < 3; ++k) {
            const Vec3 d =
                (turbulence_at(eddies, p + h * Vec3::Unit(k), 0) - turbulence_at(eddies, p - h * Vec3::Unit(k), 0)) /
                (2 * h);
            divergence += d[k], slope += d.norm();
        }
        CHECK(std::abs(divergence) < 0.01 * slope);
    }
    CHECK(std::sqrt(square / 4000) == doctest::Approx(2.0).epsilon(0.1));
}

TEST_CASE("particles: thrown in the air they fall as a stone does, with drag to their last speed") {
    Emitter emitter{.speed = 3.0f, .spread = 0.0f, .rate = 60.0f, .until = 0.01f, .life = 100.0f, .most = 4};
    Particles free(emitter, 1);
    for (int i = 0; i < 600; ++i) free.step(1.0f / 600.0f, {});
    REQUIRE(free.alive_count() == 0);  // a tenth of one is owed in each step of 1/600 s, and until 0.01 s none is made
    emitter.rate = 600.0f;
    emitter.most = 1;
    Particles stone(emitter, 1);
    for (int i = 0; i < 600; ++i) stone.step(1.0f / 600.0f, {});
    CHECK(stone.position(0).y() == doctest::Approx(3.0 - 0.5 * 9.81).epsilon(0.01));
    emitter.drag = 2.0f;
    Particles feather(emitter, 1);
    for (int i = 0; i < 6000; ++i) feather.step(1.0f / 600.0f, {});
    CHECK(feather.velocity(0).y() == doctest::Approx(-9.81 / 2.0).epsilon(0.01));
}

TEST_CASE("particles: a bounce keeps its share, sticking holds, going out frees the slot") {
    const Collider floor{.shape = ColliderShape::plane, .a = Vec3d(0, -1, 0), .bounce = 0.0, .friction = 0.5};
    Emitter emitter{.direction = -Vec3::UnitY(),
                    .speed = 2.0f,
                    .spread = 0.0f,
                    .rate = 1000.0f,
                    .until = 0.0005f,
                    .life = 5.0f,
                    .bounce = 0.5f,
                    .most = 1};
    Particles ball(emitter, 1);
    for (int i = 0; i < 700; ++i) ball.step(0.001f, {.gravity = Vec3::Zero(), .colliders = {&floor, 1}});
    CHECK(ball.velocity(0).y() == doctest::Approx(1.0));
    emitter.stick = true;
    Particles mud(emitter, 1);
    for (int i = 0; i < 900; ++i) mud.step(0.001f, {.colliders = {&floor, 1}});
    CHECK(mud.position(0).y() == doctest::Approx(-1.0));
    CHECK(mud.velocity(0).norm() == 0.0f);
    for (int i = 0; i < 5000; ++i) mud.step(0.001f, {.colliders = {&floor, 1}});
    CHECK(mud.alive_count() == 0);
}

TEST_CASE("particles: an attractor draws them in, a disc emits within its radius") {
    const Attractor middle{.at = Vec3(0, 0, 0), .strength = 20.0f, .radius = 3.0f};
    Particles dust({.shape = EmitterShape::disc,
                    .radius = 1.0f,
                    .speed = 0.0f,
                    .rate = 1e5f,
                    .until = 0.005f,
                    .life = 10.0f,
                    .drag = 3.0f,
                    .most = 500},
                   2);
    dust.step(0.01f, {.gravity = Vec3::Zero()});
    REQUIRE(dust.alive_count() == 500);
    double far = 0.0, near = 0.0;
    for (size_t i = 0; i < 500; ++i) far = std::max<double>(far, dust.position(i).norm());
    CHECK(far < 1.0);
    CHECK(far > 0.95);
    for (int i = 0; i < 500; ++i) dust.step(0.01f, {.gravity = Vec3::Zero(), .attractors = {&middle, 1}});
    for (size_t i = 0; i < 500; ++i) near = std::max<double>(near, dust.position(i).norm());
    CHECK(near < 0.3);
}
