#include <doctest/doctest.h>

#include "skin/shapes.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// Two triangle edges through a vertex turn into two edges after a deformation; the normal must stay across both.
Vertices deformed(const Affine& matrix, const Vec3& p, const Vec3& n, const Vec3& t) {
    const Vertices patch{{p}, {n}, {Vec4(t.x(), t.y(), t.z(), 1.0f)}};
    Vertices out;
    deform_by_matrix(matrix, patch.onto(out));
    return out;
}

}  // namespace

TEST_CASE("Influences::create: sorts, merges, normalises, drops zeros") {
    const auto made = Influences::create({0, 4, 4, 5}, {{2, 0.5f}, {0, 0.0f}, {1, 3.0f}, {2, 0.5f}, {0, 7.0f}}, 3);
    REQUIRE(made);
    REQUIRE(made->of(0).size() == 2);
    CHECK(made->of(0)[0].joint == 1);
    CHECK(made->of(0)[0].weight == doctest::Approx(0.75));
    CHECK(made->of(0)[1].joint == 2);
    CHECK(made->of(0)[1].weight == doctest::Approx(0.25));
    CHECK(made->of(1).empty());
    CHECK(made->of(2)[0].weight == 1.0f);
    CHECK(made->max_per_vertex() == 2);
    CHECK(made->unweighted_vertices() == 1);
}

TEST_CASE("Influences::create: refuses what is not a weight or not a joint, and keeps huge weights finite") {
    CHECK_FALSE(Influences::create({0, 1}, {{0, -0.1f}}, 1));
    CHECK_FALSE(Influences::create({0, 1}, {{0, NAN}}, 1));
    CHECK(Influences::create({0, 1}, {{5, 1.0f}}, 3).error().where == "vertex 0");
    CHECK(Influences::create({0, 2}, {{0, 1.0f}, {9, 0.0f}}, 1));  // a joint that counts for nothing may be anything
    CHECK_FALSE(Influences::create({0, 2}, {{0, 1.0f}}, 1));
    CHECK_FALSE(Influences::create({}, {}, 1));
    const auto huge = Influences::create({0, 2}, {{0, 3e38f}, {0, 3e38f}}, 1);
    REQUIRE(huge);
    CHECK(huge->of(0)[0].weight == doctest::Approx(1.0));
}

TEST_CASE("deform: the normal stays perpendicular to the surface under shear and mirroring") {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        Affine matrix = random_affine(random);
        if (i % 2 == 1) matrix.linear().col(0) *= -1.0f;
        const Vec3 u = vector(random, 1).normalized();
        const Vec3 n = u.cross(vector(random, 1)).normalized();
        const Vec3 v = n.cross(u);
        const Vertices patch = deformed(matrix, vector(random, 2), n, u);
        CHECK(std::abs(patch.normals[0].dot((matrix.linear() * u).normalized())) < 1e-5f);
        CHECK(std::abs(patch.normals[0].dot((matrix.linear() * v).normalized())) < 1e-5f);
        // The side it was on stays its side: n maps to something with a positive share of the new normal.
        CHECK(patch.normals[0].dot(matrix.linear() * n) > 0.0f);
        CHECK(patch.tangents[0].head<3>().isApprox((matrix.linear() * u).normalized(), 1e-5f));
        // The bitangent w · (n × t) stays where v went, also through a mirror.
        const Vec3 bitangent = patch.tangents[0].w() * patch.normals[0].cross(Vec3(patch.tangents[0].head<3>()));
        CHECK(bitangent.dot(matrix.linear() * v) > 0.0f);
    }
}

TEST_CASE("deform_linear_blend: weights of a partition move a vertex by the blend of its joints' results") {
    Random random(5);
    std::vector<Affine> palette(4);
    for (Affine& matrix : palette) matrix = random_affine(random);
    std::vector<Vec3> in = {vector(random, 2), vector(random, 2), vector(random, 2)}, out(3);
    const auto influences = Influences::create({0, 3, 4, 4}, {{0, 0.5f}, {2, 0.3f}, {3, 0.2f}, {1, 1.0f}}, 4);
    REQUIRE(influences);
    deform_linear_blend(palette, {.influences = *influences}, {.positions_in = in, .positions_out = out});
    const Vec3 expected = 0.5f * (palette[0] * in[0]) + 0.3f * (palette[2] * in[0]) + 0.2f * (palette[3] * in[0]);
    CHECK((out[0] - expected).norm() < 1e-5f);
    CHECK((out[1] - palette[1] * in[1]).norm() < 1e-5f);
    CHECK(out[2] == in[2]);
}

TEST_CASE("make_palette: the bind pose gives back the input") {
    Random random(9);
    const Affine world_from_bind = random_affine(random);
    const Skin skin{.name = {}, .joints = {0}, .inverse_bind = {world_from_bind.inverse()}};
    std::vector<AffineD> world = {world_from_bind.cast<double>()};
    std::vector<Affine> palette(1);
    make_palette(skin, world, palette);
    CHECK((palette[0].matrix() - Affine::Identity().matrix()).cwiseAbs().maxCoeff() < 1e-5f);
}
