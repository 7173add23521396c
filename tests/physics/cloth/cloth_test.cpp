// Cloth against closed forms: the catenary, a rolled strip, stretch, a sheet on a ball; and kernels against their
// twins.
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/physics/cloth/cloth.h>
#include <sinew/physics/cloth/crossings.h>
#include <sinew/physics/cloth/spring_net.h>
#include <sinew/physics/cloth/surface_distance.h>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "grid_mesh.h"

using namespace sinew;
using test::grid;
using test::GridMesh;

namespace {

struct Stretch {
    double mean = 0.0, worst = 0.0;
};
Stretch stretch_of(const Cloth& cloth) {
    Stretch all;
    for (size_t e = 0; e < cloth.edges().size(); ++e) {
        all.mean += std::abs(cloth.stretch(e)) / static_cast<double>(cloth.edges().size());
        all.worst = std::max(all.worst, static_cast<double>(cloth.stretch(e)));
    }
    return all;
}

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
                {.bend = 1e6f, .tethers = false, .damping = 0.9f, .self_collision = false, .substeps = 40});
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

TEST_CASE("cloth: a sheet that falls in folds on the floor crosses itself by less than 5 mm") {
    const GridMesh mesh = grid(40, 40, 0.02f, 0.02f);
    const std::array<Collider, 1> floor = {Collider{.shape = ColliderShape::plane, .friction = 0.8}};
    double worst[2] = {0.0, 0.0};
    for (const bool self : {false, true}) {
        Cloth cloth(mesh.positions, mesh.triangles, {.self_collision = self});
        for (uint32_t i = 0; i < mesh.positions.size(); ++i)  // it stands on its edge, and a little askew
            cloth.set_position(i, mesh.positions[i] + Vec3(0, 0.82f, 0.05f * mesh.positions[i].x()));
        for (int frame = 0; frame < 90; ++frame) {
            cloth.step(1.0f / 60.0f, {.colliders = floor});
            if (frame % 3 != 2) continue;
            std::vector<Vec3> now(cloth.size());
            cloth.copy_positions(now);
            worst[self] = std::max(worst[self], deepest_crossing(now, mesh.triangles));
        }
    }
    CHECK(worst[true] < 0.005);
    CHECK(worst[false] > 0.005);  // so there are folds that would
}

namespace {

double crossing_of(const Cloth& cloth, const GridMesh& mesh) {
    std::vector<Vec3> now(cloth.size());
    cloth.copy_positions(now);
    return deepest_crossing(now, mesh.triangles);
}

}  // namespace

TEST_CASE("cloth: layers that fly at each other do not get through") {
    // A ribbon in the shape of a U, whose arms meet at 12 m/s; the other one 2 cm askew, so that vertices meet faces.
    const int along = 31, across = 9;
    const float edge = 0.02f, apart = 0.25f;
    const GridMesh mesh = grid(along, across, edge, edge);
    Cloth cloth(mesh.positions, mesh.triangles, {});
    for (uint32_t i = 0; i < mesh.positions.size(); ++i) {
        const float s = mesh.positions[i].x() - 0.5f * edge * (along - 1), arm = 0.5f * (edge * (along - 1) - apart);
        const float out = std::max(std::abs(s) - 0.5f * apart, 0.0f);
        const float side = s < 0.0f ? -1.0f : 1.0f;
        cloth.set_position(
            i, {std::clamp(s, -0.5f * apart, 0.5f * apart), mesh.positions[i].y() + 0.3f * edge * side, out});
        cloth.set_velocity(i, {-side * 6.0f * out / arm, 0, 0});
    }
    double worst = 0.0, nearest = INFINITY;
    for (int frame = 0; frame < 30; ++frame) {
        cloth.step(1.0f / 60.0f, {.gravity = Vec3::Zero()});
        worst = std::max(worst, crossing_of(cloth, mesh));
        const Vec3 left = cloth.position(4 * along), right = cloth.position(4 * along + along - 1);
        nearest = std::min<double>(nearest, (left - right).norm());
    }
    CHECK(worst < 0.005);
    CHECK(nearest < 0.05);  // they do meet
}

TEST_CASE("cloth: what begins through itself comes apart") {
    // A sheet that hangs, its lower end turned up in front; a corner of that end, or its middle, is through the sheet.
    const int nx = 25, ny = 31;
    const float edge = 0.02f;
    const GridMesh mesh = grid(nx, ny, edge, edge);
    for (const float middle : {0.0f, 0.24f}) {
        INFO("about x = ", middle);
        Cloth cloth(mesh.positions, mesh.triangles, {.damping = 0.5f});
        for (uint32_t i = 0; i < nx; ++i) cloth.pin(i);
        const float fold = 0.4f, gap = 0.03f;
        for (uint32_t i = 0; i < mesh.positions.size(); ++i) {
            const Vec3& p = mesh.positions[i];
            const float below = -p.y() - fold;  // beyond the fold, along the sheet
            if (below <= 0.0f) continue;
            const float up = std::max(below - gap, 0.0f), most = edge * (ny - 1) - fold - gap;
            const float lean = std::max(1.0f - std::abs(p.x() - middle) / 0.14f, 0.0f);
            cloth.set_position(i, {p.x(), -fold + up, std::min(below, gap) - (gap + 0.04f) * lean * up / most});
        }
        CHECK(crossing_of(cloth, mesh) > 0.005);
        for (int frame = 0; frame < 120; ++frame) cloth.step(1.0f / 60.0f, {});
        CHECK(crossing_of(cloth, mesh) < 0.001);
        CHECK(stretch_of(cloth).worst < 0.1);
    }
}

TEST_CASE("cloth: how far a mesh crosses itself") {
    // Two triangles: the second stands on the first, and its tip reaches 3 mm through it.
    std::vector<Vec3> points = {{0, 0, 0},          {1, 0, 0},         {0, 0, 1}, {0.2f, -0.003f, 0.2f},
                                {0.2f, 0.5f, 0.2f}, {0.3f, 0.5f, 0.2f}};
    const std::vector<uint32_t> both = {0, 1, 2, 3, 4, 5};
    CHECK(deepest_crossing(points, both) == doctest::Approx(0.003).epsilon(1e-3));
    points[3].y() = 0.001f;
    CHECK(deepest_crossing(points, both) == 0.0);
    points[3] = {0.8f, -0.003f, 0.8f};  // beside it
    points[4].x() = points[4].z() = 0.8f, points[5].x() = points[5].z() = 0.85f;
    CHECK(deepest_crossing(points, both) == 0.0);
    const std::vector<uint32_t> fold = {0, 1, 2, 0, 2, 3};  // neighbours do not count
    CHECK(deepest_crossing(points, fold) == 0.0);
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

namespace {

bool same_bits(std::span<const Float4> a, std::span<const Float4> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// Points of a cloth in any state, and a twin to compare with.
struct Twins {
    std::vector<Float4> x, previous, v, x2, previous2, v2;

    explicit Twins(size_t count, uint64_t seed) : x(count), previous(count), v(count) {
        Random random(seed);
        const auto any = [&] { return static_cast<float>(random.uniform(-1, 1)); };
        for (size_t i = 0; i < count; ++i) {
            x[i] = {any(), any(), any(), i % 7 == 0 ? 0.0f : static_cast<float>(random.uniform(1, 5))};
            previous[i] = {x[i].x + 0.01f * any(), x[i].y + 0.01f * any(), x[i].z + 0.01f * any(), x[i].w};
            v[i] = {any(), any(), 0.5f, 0};
        }
        x2 = x, previous2 = previous, v2 = v;
    }
    void check() const {
        CHECK(same_bits(x, x2));
        CHECK(same_bits(previous, previous2));
        CHECK(same_bits(v, v2));
    }
};

}  // namespace

TEST_CASE("cloth: the kernels that move points give the bits of their twins") {
    Twins t(608, 17);
    std::vector<Float4> wind = t.v;
    for (const Float4* push : {static_cast<const Float4*>(nullptr), static_cast<const Float4*>(wind.data())})
        for (const float most : {20.0f, 0.5f}) {
            const ClothMove how{.seconds = 1e-3f, .gravity = {0, -9.81f, 1, 0}, .keep = 0.99f, .acceleration = push};
            move_points(how, t.x, t.previous, t.v), move_points_scalar(how, t.x2, t.previous2, t.v2);
            t.check();
            set_velocities(1e-3f, most, t.x, t.previous, t.v),
                set_velocities_scalar(1e-3f, most, t.x2, t.previous2, t.v2);
            t.check();
        }
}

TEST_CASE("cloth: the kernels that hold distances give the bits of their twins") {
    for (const bool keep_pull : {false, true}) {
        Twins t(608, 19);
        Random random(23);
        std::vector<DistanceBlock> blocks(20);
        std::vector<float> pulls(160), pulls2;
        for (size_t k = 0; k < 160; ++k) {
            DistanceBlock& block = blocks[k / 8];
            block.a[k % 8] = static_cast<uint32_t>(k), block.b[k % 8] = static_cast<uint32_t>(599 - k);
            block.rest[k % 8] = static_cast<float>(random.uniform(0.1, 1));
            pulls[k] = static_cast<float>(random.uniform(-1, 1));
            if (k % 11 == 0) block.a[k % 8] = block.b[k % 8] = 607, block.rest[k % 8] = 0.0f;
        }
        t.x[607] = t.x2[607] = {};
        pulls2 = pulls;
        for (const float soft : {0.0f, 0.7f}) {
            solve_distances(blocks, soft, keep_pull ? pulls.data() : nullptr, t.x.data());
            solve_distances_scalar(blocks, soft, keep_pull ? pulls2.data() : nullptr, t.x2.data());
            t.check();
            CHECK(pulls == pulls2);
        }
        for (const float times : {0.9f, 0.5f, 1e6f}) {
            const size_t changed = limit_distances(blocks, times, t.x.data());
            CHECK(changed == limit_distances_scalar(blocks, times, t.x2.data()));
            CHECK((changed > 0) == (times < 1.0f));
            t.check();
        }
        for (const size_t anchors : {0u, 1u, 4u}) {
            const std::vector<uint32_t> fixed = {0, 7, 14, 21};
            std::vector<float> lengths(4 * 608), own_lengths(608);
            std::vector<uint32_t> own(608);
            for (float& length : lengths)
                length = random.below(3) == 0 ? INFINITY : static_cast<float>(random.uniform(0.2, 2));
            for (size_t i = 0; i < 608; ++i) {
                own[i] = static_cast<uint32_t>(7 * random.below(80));
                own_lengths[i] = i % 7 == 0 ? INFINITY : static_cast<float>(random.uniform(0.2, 2));
                for (size_t k = 0; i % 7 == 0 && k < 4; ++k) lengths[k * 608 + i] = INFINITY;
            }
            const ClothTethers tethers{.anchors = std::span(fixed).first(anchors),
                                       .lengths = lengths.data(),
                                       .own = keep_pull ? own.data() : nullptr,
                                       .own_lengths = own_lengths.data()};
            hold_tethers(tethers, t.x), hold_tethers_scalar(tethers, t.x2);
            t.check();
        }
    }
}

TEST_CASE("cloth: the kernel that leaves colliders gives the bits of its twin, and puts points outside") {
    const std::vector<ClothSolid> solids = {
        {.a = {-0.5f, 0, 0, 0},
         .along = {1, 0, 0, 1},
         .carried_a = {0, 0, 0.01f, 0},
         .carried_along = {0, 0.01f, 0, 0},
         .radius = 0.3f,
         .friction = 0.4f},
        {.a = {0, 0.5f, 0.2f, 0}, .radius = 0.4f, .friction = 0.9f},
        {.a = {0, -0.6f, 0, 0}, .normal = {0, 1, 0, 0}, .friction = 0.2f, .plane = true},
        {.a = {0, 0, 0, 0}, .radius = 1.2f, .friction = 0.1f, .hollow = true}};
    for (uint32_t only = 0; only <= 4; ++only) {
        Twins t(608, 29 + only);
        std::vector<OctetSolid> near;
        for (uint32_t octet = 0; octet < 76; ++octet)
            for (uint32_t s = 0; s < 4; ++s)
                if (only == 4 || s == only) near.push_back({octet, s});
        t.x[1] = t.x2[1] = {0, 0, 0, 1};  // on the axis of the capsule, and in the middle of a ball
        t.x[2] = t.x2[2] = {0, 0.5f, 0.2f, 1};
        const std::vector<Float4> start = t.x;
        leave_solids(near, solids.data(), 0.01f, t.x.data(), t.previous.data());
        leave_solids_scalar(near, solids.data(), 0.01f, t.x2.data(), t.previous2.data());
        t.check();
        bool moved = false;
        for (size_t i = 0; i < t.x.size(); ++i) {
            moved |= std::memcmp(&t.x[i], &start[i], sizeof(Float4)) != 0;
            if (start[i].w == 0.0f) CHECK(std::memcmp(&t.x[i], &start[i], sizeof(Float4)) == 0);
            if (start[i].w == 0.0f || only == 4) continue;
            const Vec3 p(t.x[i].x, t.x[i].y, t.x[i].z);
            // Friction slides a point back along the tangent, which leads into nothing round by more than this.
            constexpr float slack = 2e-3f;
            if (only == 0) CHECK((p - Vec3(std::clamp(p.x(), -0.5f, 0.5f), 0, 0)).norm() > 0.31f - slack);
            if (only == 1) CHECK((p - Vec3(0, 0.5f, 0.2f)).norm() > 0.41f - slack);
            if (only == 2) CHECK(p.y() > -0.59f - slack);
            if (only == 3) CHECK(p.norm() < 1.19f + slack);
        }
        CHECK(moved);
    }
}

TEST_CASE("cloth: near points are found, all and once, as a scan of all pairs finds them") {
    Random random(31);
    for (const float extent : {0.1f, 1.0f, 300.0f}) {
        std::vector<Float4> points(700);
        for (Float4& p : points)
            p = {extent * static_cast<float>(random.uniform()),
                 0.3f * extent * static_cast<float>(random.uniform(-1, 0)),
                 0.05f * static_cast<float>(random.uniform()), 1};
        std::set<std::pair<uint32_t, uint32_t>> found, truth;
        ClothGrid grid;
        grid.build(points, 0.04f);
        grid.pairs(0.04f, [&](uint32_t a, uint32_t b, float) { CHECK(found.insert(std::minmax(a, b)).second); });
        for (uint32_t a = 0; a < points.size(); ++a)
            for (uint32_t b = a + 1; b < points.size(); ++b) {
                const float dx = points[a].x - points[b].x, dy = points[a].y - points[b].y,
                            dz = points[a].z - points[b].z;
                if (dx * dx + dy * dy + dz * dz < 0.04f * 0.04f) truth.emplace(a, b);
            }
        CHECK(found == truth);
        CHECK((extent > 100.0f || !truth.empty()));
    }
    ClothGrid grid;  // nonsense stops nothing
    std::vector<Float4> points = {{NAN, 0, 0, 0}, {1e30f, -1e30f, 0, 0}, {INFINITY, 0, 0, 0}, {0, 0, 0, 0}};
    grid.build(points, 1e-3f);
    grid.pairs(1e-3f, [](uint32_t, uint32_t, float) {});
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
