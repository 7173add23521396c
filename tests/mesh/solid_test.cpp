#include <doctest/doctest.h>

#include <mesh/shapes.h>
#include <sinew/core/parallel.h>
#include <sinew/mesh/solid.h>
#include <sinew/mesh/winding.h>

using namespace sinew;
using namespace sinew::test;

namespace {

Solid solid_of(const Mesh& mesh, int resolution = 64) {
    return make_solid(mesh.positions, mesh.triangles, {.resolution = resolution});
}

// Surface voxels straddle the boundary: half of their volume counts.
double volume(const Solid& solid) {
    double voxels = 0.0;
    for (Fill fill : solid.fill) voxels += fill == Fill::inside ? 1.0 : fill == Fill::surface ? 0.5 : 0.0;
    return voxels * std::pow(solid.grid.cell, 3);
}

double ball(double radius) {
    return 4.0 / 3.0 * 3.14159265358979 * radius * radius * radius;
}

// Voxels deep in the unit ball are filled, those far out are not; the layer around the surface may go either way.
double wrong_share(const Solid& solid, const Vec3& centre, double radius) {
    size_t wrong = 0, asked = 0;
    for (size_t i = 0; i < solid.fill.size(); ++i) {
        const double r = (solid.grid.centre(i) - centre.cast<double>()).norm();
        if (std::abs(r - radius) < 1.8 * solid.grid.cell) continue;
        ++asked;
        wrong += solid.filled(i) != (r < radius);
    }
    return static_cast<double>(wrong) / static_cast<double>(asked);
}

}  // namespace

TEST_CASE("solid: a ball has its volume, at any place and size") {
    for (const float scale : {1e-6f, 1e-3f, 1.0f, 1e3f, 1e6f, 1e18f}) {
        CAPTURE(scale);
        const Vec3 centre = scale * Vec3(3, -5, 7);
        const Solid solid = solid_of(sphere(centre, scale));
        CHECK(solid.leak == 0.0);
        CHECK_FALSE(solid.open_edges);
        CHECK(volume(solid) == doctest::Approx(ball(static_cast<double>(scale))).epsilon(0.02));
        CHECK(wrong_share(solid, centre, static_cast<double>(scale)) == 0.0);
    }
}

TEST_CASE("solid: the grid is bounded, and bordered by outside") {
    const Mesh mesh = sphere({0, 0, 0}, 1.0f);
    const Solid bounded = make_solid(mesh.positions, mesh.triangles, {.resolution = 1024, .max_voxels = 50'000});
    CHECK(bounded.grid.count() <= 50'000);
    CHECK(bounded.fill.size() == bounded.grid.count());
    const Solid solid = solid_of(mesh, 40);
    CHECK(solid.grid.dims == VoxelIndex{44, 44, 44});
    for (size_t i = 0; i < solid.fill.size(); ++i) {
        for (size_t k = 0; k < 3; ++k) {
            const int at = solid.grid.voxel(i)[k];
            if (at < 2 || at >= 42) CHECK(solid.fill[i] == Fill::outside);
        }
        CHECK(solid.grid.index(solid.grid.locate(solid.grid.centre(i))) == i);
    }
}

TEST_CASE("solid: the direction of closed faces does not matter") {
    const Solid plain = solid_of(sphere({0, 0, 0}, 1.0f));
    for (const double share : {0.3, 1.0}) {
        Mesh mesh = sphere({0, 0, 0}, 1.0f);
        flip_faces(mesh, share, 7);
        CHECK(solid_of(mesh).fill == plain.fill);
    }
    CHECK(solid_of(soup(sphere({0, 0, 0}, 1.0f), 0.0f, 1)).fill == plain.fill);
}

TEST_CASE("solid: nested and overlapping shells are one body") {
    Mesh nested = sphere({0, 0, 0}, 1.0f);
    Mesh inner = sphere({0, 0, 0}, 0.5f);
    flip_faces(inner, 1.0, 1);  // a cavity, closed off
    append(nested, inner);
    CHECK(wrong_share(solid_of(nested), {0, 0, 0}, 1.0) == 0.0);

    Mesh two = sphere({0, 0, 0}, 1.0f);
    append(two, sphere({1, 0, 0}, 1.0f));
    // Two unit balls at distance 1: each loses a cap of height 1/2.
    const double lens = 2.0 * 3.14159265358979 * 0.25 * (3.0 - 0.5) / 3.0;
    CHECK(volume(solid_of(two)) == doctest::Approx(2.0 * ball(1.0) - lens).epsilon(0.03));
}

TEST_CASE("solid: holes, missing faces and torn seams") {
    SUBCASE("a hole wider than a voxel") {
        Mesh mesh = sphere({0, 0, 0}, 1.0f);
        cut_faces(mesh, [](const Vec3& p) { return p.y() > 0.9f; });
        const Solid solid = solid_of(mesh);
        CHECK(solid.open_edges);
        CHECK(solid.leak > 0.9);
        CHECK(wrong_share(solid, {0, 0, 0}, 1.0) < 0.01);  // the cap above the hole is anybody's guess
    }
    SUBCASE("one face in seven missing, a third of the rest turned") {
        Mesh mesh = sphere({0, 0, 0}, 1.0f, 24);
        drop_faces(mesh, 0.15, 3);
        CHECK(wrong_share(solid_of(mesh), {0, 0, 0}, 1.0) < 0.005);
        flip_faces(mesh, 0.3, 4);
        CHECK(wrong_share(solid_of(mesh), {0, 0, 0}, 1.0) < 0.005);
    }
    SUBCASE("seams torn by less than a voxel") {
        const Solid solid = solid_of(soup(sphere({0, 0, 0}, 1.0f), 0.004f, 5));
        CHECK(solid.open_edges);
        CHECK(solid.leak == 0.0);
        CHECK(wrong_share(solid, {0, 0, 0}, 1.0) < 0.002);
    }
    SUBCASE("what hangs open below a body is not part of it") {
        // A ball on an open bell.
        Mesh mesh = sphere({0, 2, 0}, 1.5f), bell = sphere({0, 0, 0}, 1.0f);
        cut_faces(bell, [](const Vec3& p) { return p.y() < 0.0f; });
        append(mesh, bell);
        const Solid solid = solid_of(mesh);
        CHECK(solid.filled(solid.grid.index(solid.grid.locate({0, 2, 0}))));
        CHECK_FALSE(solid.filled(solid.grid.index(solid.grid.locate({0, 0.3, 0.4}))));
    }
    SUBCASE("a bowl is full to the rim") {
        Mesh mesh = sphere({0, 0, 0}, 1.0f);
        cut_faces(mesh, [](const Vec3& p) { return p.y() > -0.5f; });
        const Solid solid = solid_of(mesh);
        // The cap of height 1/2 of the unit ball.
        CHECK(volume(solid) == doctest::Approx(3.14159265358979 * 0.25 * (3.0 - 0.5) / 3.0).epsilon(0.06));
    }
}

TEST_CASE("solid: odd input gives an answer") {
    CHECK(make_solid({}, {}).empty());
    const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {NAN, 0, 0}, {0, INFINITY, 0}, {0, 1, 0}};
    const std::vector<uint32_t> bad = {0, 1, 2, 0, 3, 1, 0, 1, 99};
    CHECK(make_solid(points, bad).empty());
    for (const std::vector<uint32_t>& triangles :
         {std::vector<uint32_t>{0, 1, 4}, std::vector<uint32_t>{0, 0, 0}, std::vector<uint32_t>{0, 1, 1, 0, 1, 2}}) {
        const Solid solid = make_solid(points, triangles, {.resolution = 16});
        CHECK_FALSE(solid.empty());
        size_t surface = 0;
        for (Fill fill : solid.fill) surface += fill == Fill::surface;
        CHECK(surface > 0);
        CHECK(surface < solid.fill.size());
    }
    // A flat sheet: exactly the voxels it passes through.
    const std::vector<Vec3> sheet = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const Solid flat = make_solid(sheet, std::vector<uint32_t>{0, 1, 2, 0, 2, 3}, {.resolution = 10});
    CHECK(flat.grid.dims == VoxelIndex{14, 14, 5});
    size_t touched = 0;
    for (Fill fill : flat.fill) touched += fill == Fill::surface;
    CHECK(touched >= 100);
    CHECK(touched <= 144);
}

TEST_CASE("solid: every point of a triangle lies in a surface voxel, and surface voxels lie near one") {
    Random random(11);
    for (int round = 0; round < 200; ++round) {
        std::vector<Vec3> p(3);
        for (Vec3& corner : p)
            for (int k = 0; k < 3; ++k)
                corner[k] = static_cast<float>(random.uniform(-1, 1) * (round % 3 == k ? 0.01 : 1.0));
        const Solid solid = make_solid(p, std::vector<uint32_t>{0, 1, 2}, {.resolution = 20});
        for (int i = 0; i < 50; ++i) {
            double a = random.uniform(), b = random.uniform();
            if (a + b > 1.0) a = 1.0 - a, b = 1.0 - b;
            const Vec3d at = p[0].cast<double>() + a * (p[1] - p[0]).cast<double>() + b * (p[2] - p[0]).cast<double>();
            CHECK(solid.fill[solid.grid.index(solid.grid.locate(at))] == Fill::surface);
        }
        const Vec3d normal = (p[1] - p[0]).cast<double>().cross((p[2] - p[0]).cast<double>()).normalized();
        for (size_t i = 0; i < solid.fill.size(); ++i)
            if (solid.fill[i] == Fill::surface)
                CHECK(std::abs(normal.dot(solid.grid.centre(i) - p[0].cast<double>())) <= 0.87 * solid.grid.cell);
    }
}

TEST_CASE("solid: the same for any number of threads") {
    Mesh mesh = sphere({0, 0, 0}, 1.0f);
    drop_faces(mesh, 0.1, 3);
    flip_faces(mesh, 0.2, 4);
    set_thread_count(1);
    const Solid one = solid_of(mesh, 48);
    set_thread_count(8);
    CHECK(solid_of(mesh, 48).fill == one.fill);
    set_thread_count(0);
}

TEST_CASE("winding: close to the exact sum, and 1 inside, 0 outside") {
    const Mesh mesh = sphere({0, 0, 0}, 1.0f, 20);
    std::vector<Vec3d> corners;
    for (uint32_t v : mesh.triangles) corners.push_back(mesh.positions[v].cast<double>());
    const WindingTree tree(corners);
    Random random(2);
    for (int i = 0; i < 300; ++i) {
        const Vec3d p(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
        if (std::abs(p.norm() - 1.0) < 0.02) continue;
        CHECK(std::abs(tree.at(p) - (p.norm() < 1.0 ? 1.0 : 0.0)) < 0.02);
    }
    CHECK(WindingTree({}).at({0, 0, 0}) == 0.0);
}

TEST_CASE("winding number: shells within shells add up, either way round") {
    // Angles of near triangles are summed as turns of one complex number: five times round must not be lost.
    for (const bool inward : {false, true}) {
        std::vector<Vec3d> corners;
        for (int shell = 1; shell <= 5; ++shell) {
            const Mesh mesh = sphere({0, 0, 0}, 0.2f * static_cast<float>(shell), 16);
            for (size_t i = 0; i < mesh.triangles.size(); ++i)
                corners.push_back(mesh.positions[mesh.triangles[inward ? i - i % 3 + 2 - i % 3 : i]].cast<double>());
        }
        const WindingTree tree(corners);
        for (int shell = 0; shell <= 5; ++shell) {
            const double expected = (inward ? -1 : 1) * (5 - shell);
            CHECK(std::abs(tree.at(Vec3d(0.3, 0.5, 0.8).normalized() * (0.09 + 0.2 * shell)) - expected) < 5 * 0.02);
        }
        CHECK(tree.near({0, 0, 0}) > 0);
        CHECK(tree.near({100, 0, 0}) == 0);
    }
}
