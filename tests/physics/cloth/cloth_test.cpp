// Cloth against closed forms: the catenary, a rolled strip, stretch; a sheet on a ball and in a body.
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/physics/cloth/cloth.h>
#include <sinew/physics/cloth/creases.h>
#include <sinew/physics/cloth/spring_net.h>
#include <sinew/physics/cloth/surface_distance.h>
#include <array>
#include <cmath>

#include "measures.h"

using namespace sinew;
using test::grid;
using test::GridMesh;
using test::stretch_of;

namespace {

// y = a cosh(x / a) + const through (0, 0) and (span, 0), for a chain of this length: 2 a sinh(span / 2a) = length.
double catenary_parameter(double span, double length) {
    double low = 1e-2, high = 1e3;
    for (int i = 0; i < 200; ++i) {
        const double a = 0.5 * (low + high);
        (2.0 * a * std::sinh(0.5 * span / a) > length ? low : high) = a;
    }
    return low;
}

// A chain as a narrow ribbon of triangles that weigh and hold as a chain does.
GridMesh ribbon(int links, float length) {
    GridMesh mesh = grid(links + 1, 2, length / static_cast<float>(links), 0.01f);
    return mesh;
}

}  // namespace

TEST_CASE("cloth: a hanging chain is a catenary within 1 %") {
    const int links = 60;
    const float length = 1.5f, span = 1.0f;
    const GridMesh mesh = ribbon(links, length);
    Cloth cloth(mesh.positions, mesh.triangles,
                {.bend = 1e6f,
                 .bending = Bending::springs,
                 .tethers = false,
                 .damping = 0.9f,
                 .self_collision = false,
                 .substeps = 40});
    // Start on an arc between the two ends, then let it hang.
    for (uint32_t i = 0; i < mesh.positions.size(); ++i) {
        const float t = static_cast<float>(i % (links + 1)) / links;
        cloth.set_position(i, {span * t, -0.5f * std::sin(pi * t), mesh.positions[i].y()});
    }
    for (const uint32_t end :
         {0u, static_cast<uint32_t>(links), static_cast<uint32_t>(links + 1), static_cast<uint32_t>(2 * links + 1)})
        cloth.pin(end);
    for (int frame = 0; frame < 1500; ++frame) cloth.step(1.0f / 60.0f, {});  // until it no longer swings
    const double a = catenary_parameter(span, length), bottom = a * std::cosh(0.5 * span / a);
    double worst = 0.0;
    for (int i = 0; i <= links; ++i) {
        const Vec3 p = cloth.position(static_cast<size_t>(i));
        worst = std::max(worst, std::abs(p.y() - (a * std::cosh((p.x() - 0.5 * span) / a) - bottom)));
    }
    CHECK(worst < 0.01 * length);
}

TEST_CASE("cloth: a sheet pinned along a side stretches by less than 1 % in the mean") {
    const GridMesh mesh = grid(60, 60, 0.02f, 0.02f);
    Cloth cloth(mesh.positions, mesh.triangles, {.self_collision = false});
    for (uint32_t i = 0; i < 60; ++i) cloth.pin(i);
    for (int frame = 0; frame < 180; ++frame) cloth.step(1.0f / 60.0f, {});
    CHECK(stretch_of(cloth).mean < 0.01);
}

TEST_CASE("cloth: hung by two corners, no edge is stretched by more than 0.5 %, thanks to tethers") {
    double worst[2];
    for (const bool tethers : {false, true}) {
        const GridMesh mesh = grid(40, 40, 0.025f, 0.025f);
        Cloth cloth(mesh.positions, mesh.triangles, {.tethers = tethers, .damping = 0.5f, .self_collision = false});
        cloth.pin(0), cloth.pin(39);
        for (int frame = 0; frame < 400; ++frame) cloth.step(1.0f / 60.0f, {});
        worst[tethers] = stretch_of(cloth).worst;
    }
    CHECK(worst[true] < 0.005);
    CHECK(worst[false] > 0.05);
}

TEST_CASE("cloth: a rolled strip has the bending energy of a cylinder within 3 %") {
    for (const bool equal_sided : {false, true}) {
        const int nx = 81, ny = 21;
        const float edge = 0.0125f;
        GridMesh mesh = grid(nx, ny, edge, equal_sided ? edge * std::sqrt(0.75f) : edge, equal_sided);
        const auto hinges = find_hinges(mesh.positions, mesh.triangles);
        double area = 0.0;
        for (size_t t = 0; t < mesh.triangles.size(); t += 3)
            area += 0.5 * (mesh.positions[mesh.triangles[t + 1]] - mesh.positions[mesh.triangles[t]])
                              .cross(mesh.positions[mesh.triangles[t + 2]] - mesh.positions[mesh.triangles[t]])
                              .norm();
        for (const double radius : {1.0 / M_PI, 0.5, 2.0}) {
            std::vector<Vec3d> rolled;
            for (const Vec3& p : mesh.positions)
                rolled.emplace_back(radius * std::sin(p.x() / radius), p.y(),
                                    radius * (1.0 - std::cos(p.x() / radius)));
            const double found = bending_energy(hinges, rolled, 0.01), truth = 0.5 * 0.01 * area / (radius * radius);
            INFO("radius ", radius, equal_sided ? ", equal-sided" : ", right-angled");
            // At the rims a hinge's half strip is missing: a share of 1/n of each side.
            CHECK(found == doctest::Approx(truth).epsilon(0.03));
        }
    }
}

TEST_CASE("cloth: a strip held at one end sags as a beam does, within 3 %") {
    // density g length⁴ / (8 stiffness), small against its length; the last held column is where the beam begins.
    const int nx = 26, ny = 4;
    const float edge = 0.01f, density = 0.05f, stiffness = 1e-3f, gravity = 0.2f;
    GridMesh mesh = grid(nx, ny, edge, edge);
    for (Vec3& p : mesh.positions) p = {p.x(), 0.0f, p.y()};
    Cloth cloth(mesh.positions, mesh.triangles,
                {.density = density, .bend = stiffness, .damping = 0.9999f, .self_collision = false, .substeps = 100});
    for (uint32_t j = 0; j < ny; ++j) cloth.pin(j * nx), cloth.pin(j * nx + 1);
    for (int frame = 0; frame < 300; ++frame) cloth.step(1.0f / 60.0f, {.gravity = Vec3(0, -gravity, 0)});
    const double length = edge * (nx - 2), truth = density * gravity * std::pow(length, 4) / (8.0 * stiffness);
    CHECK(truth < 0.05 * length);
    CHECK(-cloth.position(2 * nx - 1).y() == doctest::Approx(truth).epsilon(0.03));
}

TEST_CASE("cloth: creases are counted where they are, and a roll is as bent as its radius says") {
    const int nx = 41, ny = 11;
    const float edge = 0.02f;
    const GridMesh mesh = grid(nx, ny, edge, edge);
    const auto hinges = find_hinges(mesh.positions, mesh.triangles);
    CHECK(measure_creases(hinges, mesh.positions).mean_deg == 0.0);
    // Folded flat along the 20th column: the ten hinges along it, and no other.
    auto folded = mesh.positions;
    for (Vec3& p : folded)
        if (p.x() > 20.5f * edge) p.x() = 2.0f * 20.0f * edge - p.x();
    const auto share = static_cast<double>(ny - 1) / static_cast<double>(hinges.size());
    CHECK(measure_creases(hinges, folded).folded == doctest::Approx(share));
    CHECK(measure_creases(hinges, folded).creased == doctest::Approx(share));
    CHECK(measure_creases(hinges, folded).mean_deg == doctest::Approx(180.0 * share));
    // Rolled up, only hinges across the roll are bent: those along it by edge / radius, and diagonals by what is left.
    const float radius = 0.2f;
    auto rolled = mesh.positions;
    for (Vec3& p : rolled) p = {radius * std::sin(p.x() / radius), p.y(), radius * (1.0f - std::cos(p.x() / radius))};
    const Creases roll = measure_creases(hinges, rolled);
    CHECK(roll.folded == 0.0);
    CHECK(roll.creased == 0.0);
    CHECK(roll.mean_deg < edge / radius * 180.0 / M_PI);
    CHECK(roll.mean_deg > edge / radius * 180.0 / M_PI / 3.0);
    CHECK(measure_creases(find_hinges(rolled, mesh.triangles), rolled).mean_deg < 1e-3);  // it was made like that
}

TEST_CASE("cloth: the slope of a hinge's angle is that of differences, and it does not depend on the frame") {
    Random random(3);
    const auto any = [&] { return Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
    for (int trial = 0; trial < 200; ++trial) {
        std::array<Vec3d, 4> p = {any(), any(), any(), any()}, gradient;
        if ((p[1] - p[0]).cross(p[2] - p[0]).norm() < 0.1 || (p[1] - p[0]).cross(p[3] - p[0]).norm() < 0.1) continue;
        const double angle = hinge_angle(p[0], p[1], p[2], p[3], gradient);
        if (std::abs(angle) > 3.0) continue;
        for (int k = 0; k < 4; ++k)
            for (int c = 0; c < 3; ++c) {
                auto moved = p;
                moved[k][c] += 1e-6;
                const double up = hinge_angle(moved[0], moved[1], moved[2], moved[3]);
                moved[k][c] -= 2e-6;
                const double down = hinge_angle(moved[0], moved[1], moved[2], moved[3]);
                CHECK(gradient[k][c] == doctest::Approx((up - down) / 2e-6).epsilon(1e-4));
            }
    }
}

TEST_CASE("cloth: with compliance, the shape does not depend on the number of iterations") {
    // A sheet of springs that give way by several percent: XPBD's multipliers make iterations converge to one shape,
    // which is that of the springs.
    std::vector<double> sag;
    for (const int iterations : {1, 4, 16}) {
        const GridMesh mesh = grid(20, 20, 0.05f, 0.05f);
        Cloth cloth(mesh.positions, mesh.triangles,
                    {.stretch = 6e-2f,
                     .bend = 10.0f,
                     .bending = Bending::springs,
                     .tethers = false,
                     .damping = 0.8f,
                     .self_collision = false,
                     .substeps = 20,
                     .iterations = iterations});
        for (uint32_t i = 0; i < 20; ++i) cloth.pin(i);
        for (int frame = 0; frame < 400; ++frame) cloth.step(1.0f / 60.0f, {});
        sag.push_back(cloth.position(0).y() - cloth.position(20 * 20 - 10).y());
    }
    CHECK(sag[0] > 0.95 * 1.02);  // it does stretch: the sheet is 0.95 m long
    CHECK(sag[1] == doctest::Approx(sag[0]).epsilon(0.03));
    CHECK(sag[2] == doctest::Approx(sag[0]).epsilon(0.03));
}

TEST_CASE("cloth: a sheet falls on a ball, comes to rest, and none of it is inside") {
    const GridMesh mesh = grid(40, 40, 0.02f, 0.02f);
    Cloth cloth(mesh.positions, mesh.triangles, {.damping = 0.5f, .friction = 0.6f});
    for (uint32_t i = 0; i < mesh.positions.size(); ++i)
        cloth.set_position(i, {mesh.positions[i].x() - 0.39f, 0.35f, mesh.positions[i].y() + 0.39f});
    const std::array<Collider, 2> solid = {
        Collider{.shape = ColliderShape::sphere, .radius = 0.25, .friction = 0.8},
        Collider{.shape = ColliderShape::plane, .a = Vec3d(0, -0.25, 0), .friction = 0.8}};
    for (int frame = 0; frame < 900; ++frame) cloth.step(1.0f / 60.0f, {.colliders = solid});
    double deepest = 0.0, fastest = 0.0, mean = 0.0;
    for (size_t i = 0; i < cloth.size(); ++i) {
        deepest = std::max(deepest, 0.25 - cloth.position(i).norm());
        fastest = std::max<double>(fastest, cloth.velocity(i).norm());
        mean += cloth.velocity(i).norm() / static_cast<double>(cloth.size());
    }
    CHECK(deepest <= 0.0);
    CHECK(mean < 1e-3);
    CHECK(fastest < 0.02);
    CHECK(cloth.position(20 * 40 + 20).y() > 0.2);  // it lies on the ball
    CHECK(stretch_of(cloth).worst < 0.1);
}

TEST_CASE("cloth: a sheet that starts inside a body is pulled out, not exploded") {
    // A closed ball of triangles, as a body's skin would be.
    const GridMesh ball = test::ball(0.3f, 24, 48);
    const SurfaceTree skin(ball.positions, ball.triangles);
    const GridMesh mesh = grid(21, 21, 0.03f, 0.03f);
    Cloth cloth(mesh.positions, mesh.triangles, {.friction = 0.2f, .thickness = 0.004f});
    for (uint32_t i = 0; i < mesh.positions.size(); ++i)
        cloth.set_position(i, {mesh.positions[i].x() - 0.3f, 0.24f, mesh.positions[i].y() + 0.3f});  // cuts off its top
    const ClothBody body{&skin, ball.positions};
    double fastest = 0.0;
    for (int frame = 0; frame < 240; ++frame) {
        cloth.step(1.0f / 60.0f, {.bodies = {&body, 1}});
        for (size_t i = 0; i < cloth.size(); ++i) fastest = std::max<double>(fastest, cloth.velocity(i).norm());
        REQUIRE(cloth.finite());
    }
    double deepest = 0.0;
    for (size_t i = 0; i < cloth.size(); ++i) deepest = std::max<double>(deepest, 0.3 - cloth.position(i).norm());
    CHECK(deepest < 0.005);
    CHECK(fastest < 6.0);
}

TEST_CASE("cloth: distances along a flat sheet are straight lines") {
    const GridMesh mesh = grid(25, 25, 0.1f, 0.1f);
    const SurfaceDistance surface(mesh.positions, mesh.triangles);
    std::vector<float> distance;
    for (const uint32_t source : {0u, 24u, 312u}) {
        surface.from(std::span(&source, 1), distance);
        for (size_t i = 0; i < mesh.positions.size(); ++i)
            CHECK(distance[i] == doctest::Approx((mesh.positions[i] - mesh.positions[source]).norm()).epsilon(1e-3));
    }
}

TEST_CASE("cloth: Baraff and Witkin's implicit steps let a stiff sheet hang, with energy that only falls") {
    const GridMesh mesh = grid(12, 12, 0.08f, 0.08f);
    SpringNet net = make_net(mesh.positions, mesh.triangles, {.structural = 2e4, .bending = 1e-3});
    net.fixed[0] = net.fixed[11] = 1;
    MotionState state;
    for (const Vec3& p : mesh.positions) state.x.insert(state.x.end(), {p.x(), 0.0, p.y()});  // lies flat, then falls
    state.v.assign(state.x.size(), 0.0);
    Integrator step(Method::implicit_euler, coordinate_masses(net), {.newton_steps = 1});
    double energy = net_energy(net, state), grown = 0.0;
    const double start = energy;
    for (int frame = 0; frame < 200; ++frame) {
        step(net_forces(net), 1.0 / 60.0, state);
        grown = std::max(grown, net_energy(net, state) - energy);
        energy = net_energy(net, state);
    }
    CHECK(energy < start);
    CHECK(grown < 0.01 * std::abs(start - energy));
    double longest = 0.0;
    for (const Spring& s : net.springs)
        longest = std::max(longest,
                           std::hypot(state.x[3 * s.a] - state.x[3 * s.b], state.x[3 * s.a + 1] - state.x[3 * s.b + 1],
                                      state.x[3 * s.a + 2] - state.x[3 * s.b + 2]) /
                               s.rest);
    CHECK(longest < 1.05);
    CHECK(state.x[3 * 138 + 1] < -0.5);
}
