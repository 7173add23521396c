#include <doctest/doctest.h>

#include <sinew/mesh/mesh.h>
#include <sinew/mesh/space_curve.h>
#include <sinew/mesh/topology.h>
#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

// A unit cube of 8 vertices and 12 outward triangles.
Mesh cube() {
    Mesh mesh;
    for (int i = 0; i < 8; ++i) mesh.positions.push_back(Vec3(i & 1, (i >> 1) & 1, (i >> 2) & 1).cast<float>());
    mesh.triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    return mesh;
}

// Every corner its own vertex, as a file with hard edges has it.
Mesh split(const Mesh& mesh) {
    Mesh result;
    for (uint32_t v : mesh.triangles) {
        result.triangles.push_back(static_cast<uint32_t>(result.positions.size()));
        result.positions.push_back(mesh.positions[v]);
    }
    return result;
}

}  // namespace

TEST_CASE("compute_normals: a cube's corner points along its diagonal, however its faces are cut") {
    const Mesh mesh = cube();
    const auto normals = compute_normals(mesh.positions, mesh.triangles);
    for (size_t v = 0; v < 8; ++v) {
        const Vec3 outward = (mesh.positions[v] - Vec3::Constant(0.5f)).normalized();
        CHECK((normals[v] - outward).norm() < 1e-6f);
    }
}

TEST_CASE("compute_normals: degenerate triangles and lone vertices give finite unit normals") {
    const std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {5, 5, 5}};
    const std::vector<uint32_t> triangles = {0, 1, 2, 1, 1, 1};
    for (const Vec3& n : compute_normals(positions, triangles)) CHECK(n == Vec3(Vec3::UnitY()));
}

TEST_CASE("topology: sees through split vertices") {
    for (const Mesh& mesh : {cube(), split(cube())}) {
        const Topology t = topology(mesh.positions, mesh.triangles);
        CHECK(t.pieces == 1);
        CHECK(t.watertight);
    }
}

TEST_CASE("topology: a hole, a flipped face, a doubled face and a second piece are noticed") {
    Mesh hole = cube();
    hole.triangles.resize(hole.triangles.size() - 3);
    CHECK_FALSE(topology(hole.positions, hole.triangles).watertight);

    Mesh flipped = cube();
    std::swap(flipped.triangles[0], flipped.triangles[1]);
    CHECK_FALSE(topology(flipped.positions, flipped.triangles).watertight);

    Mesh doubled = cube();
    doubled.triangles.insert(doubled.triangles.end(), {0, 2, 3});
    CHECK_FALSE(topology(doubled.positions, doubled.triangles).watertight);

    Mesh two = cube();
    for (uint32_t v : cube().triangles) two.triangles.push_back(v + 8);
    for (const Vec3& p : cube().positions) two.positions.push_back(p + Vec3(3, 0, 0));
    two.positions.push_back(Vec3(9, 9, 9));  // a lone vertex is no piece
    const Topology t = topology(two.positions, two.triangles);
    CHECK(t.pieces == 2);
    CHECK(t.watertight);
    CHECK(topology({}, {}).pieces == 0);
    CHECK_FALSE(topology({}, {}).watertight);
}

TEST_CASE("weld_exact: minus zero is zero") {
    const std::vector<Vec3> positions = {{0, 1, 2}, {1, 1, 1}, {-0.0f, 1, 2}};
    CHECK(weld_exact(positions) == std::vector<uint32_t>{0, 1, 0});
}

TEST_CASE(
    "order_on_curve: every eighth of a cube before the next, and eighths of it in turn; equal points as they were") {
    std::vector<Vec3d> points;
    for (int i = 0; i < 4096; ++i) {  // the grid's points, far from their order
        const int k = (i * 1237) % 4096;
        points.emplace_back((k % 16 + 0.5) / 16.0, (k / 16 % 16 + 0.5) / 16.0, (k / 256 + 0.5) / 16.0);
    }
    points.push_back(points[7]);
    const std::vector<uint32_t> order = order_on_curve(points, Vec3d::Zero(), 1.0);
    REQUIRE(order.size() == points.size());
    std::vector<int> seen(points.size(), 0);
    std::vector<uint32_t> once;  // without the double
    for (uint32_t v : order) {
        ++seen[v];
        if (v != 4096) once.push_back(v);
        if (v == 4096) CHECK(once.back() == 7);
    }
    CHECK(std::count(seen.begin(), seen.end(), 1) == 4097);
    for (const int run : {8, 64, 512})
        for (size_t i = 0; i < once.size(); i += static_cast<size_t>(run)) {
            Eigen::AlignedBox3d box;
            for (size_t k = i; k < i + static_cast<size_t>(run); ++k) box.extend(points[once[k]]);
            CHECK(box.sizes().maxCoeff() < std::cbrt(run) / 16.0);
        }
}
