#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/skin/deformers/delta_mush.h>

#include "skin/shapes.h"
#include "skin/tube.h"

using namespace sinew;
using namespace sinew::test;

namespace {

Vertices vertices_of(const Tube& tube) {
    Vertices result{tube.positions, {}, {}};
    for (const Vec3& p : tube.positions) {
        const Vec3 normal = Vec3(0, p.y(), p.z()).normalized();
        result.normals.push_back(normal);
        result.tangents.emplace_back(1, 0, 0, 1);
    }
    return result;
}

// The tube with a bumpy skin, so that there is detail to keep.
Tube bumpy_tube() {
    Tube tube = make_tube({.rings = 40, .segments = 20, .joints = 3, .per_vertex = 2});
    Random random(31);
    for (Vec3& p : tube.positions) p += vector(random, 0.02);
    return tube;
}

Vertices mushed(const DeltaMush& mush, const Vertices& in, const MushOptions& options = {}) {
    Vertices out;
    apply_delta_mush(mush, options, in.onto(out));
    return out;
}

float roughness(const Tube& tube, std::span<const Vec3> positions) {
    float worst = 0.0f;
    for (size_t t = 0; t < tube.triangles.size(); t += 3) {
        const uint32_t* c = &tube.triangles[t];
        for (int i = 0; i < 3; ++i) worst = std::max(worst, (positions[c[i]] - positions[c[(i + 1) % 3]]).norm());
    }
    return worst;
}

}  // namespace

TEST_CASE("delta mush: the rest shape stays, a rigid motion moves it, a mirror mirrors it") {
    const Tube tube = bumpy_tube();
    const Vertices rest = vertices_of(tube);
    Random random(32);
    for (int iterations : {0, 1, 10}) {
        const DeltaMush mush = make_delta_mush(tube.influences, tube.positions, tube.triangles, iterations);
        const Affine motion = random_rigid(random);
        const Vec3 mirror(-1, 1, 1);
        Vertices moved = rest, mirrored = rest;
        for (size_t v = 0; v < rest.positions.size(); ++v) {
            moved.positions[v] = motion * rest.positions[v];
            moved.normals[v] = motion.linear() * rest.normals[v];
            moved.tangents[v].head<3>() = motion.linear() * rest.tangents[v].head<3>();
            mirrored.positions[v] = mirror.cwiseProduct(rest.positions[v]);
            mirrored.normals[v] = mirror.cwiseProduct(rest.normals[v]);
        }
        const Vertices a = mushed(mush, rest), b = mushed(mush, moved), c = mushed(mush, mirrored, {.mirrored = true});
        for (size_t v = 0; v < rest.positions.size(); ++v) {
            CHECK((a.positions[v] - rest.positions[v]).norm() < 1e-6f);
            CHECK((a.normals[v] - rest.normals[v]).norm() < 2e-5f);
            CHECK((b.positions[v] - moved.positions[v]).norm() < 1e-5f);
            CHECK((b.normals[v] - moved.normals[v]).norm() < 1e-4f);
            CHECK((b.tangents[v] - moved.tangents[v]).norm() < 1e-4f);
            CHECK((c.positions[v] - mirrored.positions[v]).norm() < 1e-5f);
            CHECK((c.normals[v] - mirrored.normals[v]).norm() < 1e-4f);
        }
    }
}

TEST_CASE("delta mush: takes out what the deformer crumples") {
    const Tube tube = make_tube({.rings = 40, .segments = 20, .joints = 3, .per_vertex = 2});
    const DeltaMush mush = make_delta_mush(tube.influences, tube.positions, tube.triangles, 10);
    const std::vector<Affine> palette = {Affine::Identity(), Affine::Identity(), Affine(Eigen::Translation3f(0, 1, 0))};
    const Vertices torn = deformed(deform_rigid, palette, {tube.influences}, vertices_of(tube));
    const Vertices out = mushed(mush, torn);
    CHECK(roughness(tube, torn.positions) > 0.99f);
    CHECK(roughness(tube, out.positions) < 0.4f);
    for (const Vec3& n : out.normals) CHECK(n.norm() == doctest::Approx(1.0).epsilon(1e-5));
}

TEST_CASE("delta mush: seams stay closed, lips that only touch still part, strays and flats stay") {
    // Two squares that share an edge in place, not in index; the right one's vertices follow joint 1.
    const std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}, {2, 0, 0},
                                         {2, 1, 0}, {1, 1, 0}, {5, 5, 5}, {7, 0, 0}, {7, 0, 0}, {7, 0, 0}};
    const std::vector<uint32_t> triangles = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 9, 10, 11};
    const auto bind = [&](uint32_t right) {
        std::vector<Influence> raw(positions.size(), {0, 1.0f});
        std::vector<uint32_t> first;
        for (uint32_t v = 0; v <= positions.size(); ++v) first.push_back(v);
        for (size_t v = 4; v < 8; ++v) raw[v].joint = right;
        return *Influences::create(std::move(first), std::move(raw), 2);
    };
    const DeltaMush seam = make_delta_mush(bind(0), positions, triangles, 5);
    const DeltaMush lips = make_delta_mush(bind(1), positions, triangles, 5);
    CHECK(seam.mesh.point_of[1] == seam.mesh.point_of[4]);
    CHECK(lips.mesh.point_of[1] != lips.mesh.point_of[4]);
    Vertices opened{positions, {}, {}};
    for (size_t v = 4; v < 8; ++v) opened.positions[v].x() += 3.0f;
    const Vertices parted = mushed(lips, opened);
    for (size_t v = 0; v < positions.size(); ++v) CHECK((parted.positions[v] - opened.positions[v]).norm() < 1e-5f);
    const Vertices closed = mushed(seam, {positions, {}, {}});
    CHECK(closed.positions[1] == closed.positions[4]);
    CHECK(closed.positions[8] == positions[8]);
    CHECK(closed.positions[9] == positions[9]);
}

TEST_CASE("delta mush: the detail of a morphed shape is kept when it is asked for; threads change no bit") {
    const Tube tube = bumpy_tube();
    const DeltaMush mush = make_delta_mush(tube.influences, tube.positions, tube.triangles, 8);
    Vertices morphed{tube.positions, {}, {}};
    morphed.positions[333] += Vec3(0, 0.2f, 0.1f);
    const std::vector<Vec3> deltas = find_deltas(mush, morphed.positions);
    const Vertices with = mushed(mush, morphed, {.deltas = deltas}), without = mushed(mush, morphed);
    CHECK((with.positions[333] - morphed.positions[333]).norm() < 1e-6f);
    CHECK((without.positions[333] - morphed.positions[333]).norm() > 0.05f);
    set_thread_count(1);
    CHECK(mushed(mush, morphed).positions == without.positions);
    set_thread_count(0);
}
