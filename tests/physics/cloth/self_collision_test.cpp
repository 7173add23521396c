// Cloth and itself: layers that meet, layers that begin through each other, how far a mesh crosses itself.
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/physics/cloth/cloth.h>
#include <array>
#include <cmath>
#include <set>

#include "measures.h"

using namespace sinew;
using test::crossing_of;
using test::grid;
using test::GridMesh;
using test::stretch_of;

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
