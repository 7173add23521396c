#include <doctest/doctest.h>

#include <sinew/skin/skinning.h>

#include "skin/shapes.h"
#include "skin/tube.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// The tube with its skin: joints in a row, one unit apart.
struct BoundTube {
    Tube tube = make_tube({.rings = 40, .segments = 16, .joints = 3, .per_vertex = 2});
    Skin skin;
    std::vector<int32_t> parents = {-1, 0, 1};

    BoundTube() {
        for (int32_t j = 0; j < 3; ++j) {
            skin.joints.push_back(j);
            skin.inverse_bind.push_back(Affine(Eigen::Translation3f(static_cast<float>(-j), 0, 0)));
        }
    }
    SkinnedMesh mesh() const { return {tube.positions, tube.triangles, tube.influences, skin, parents}; }
    std::vector<Vec3> deformed(const MeshDeformerOptions& options, std::span<const Affine> palette,
                               std::span<const Vec3> shape) const {
        std::vector<Vec3> out(shape.size());
        MeshDeformer(mesh(), options).deform(palette, {.positions_in = shape, .positions_out = out});
        return out;
    }
};

float largest_difference(std::span<const Vec3> a, std::span<const Vec3> b) {
    float worst = 0.0f;
    for (size_t v = 0; v < a.size(); ++v) worst = std::max(worst, (a[v] - b[v]).norm());
    return worst;
}

// The second and the third joint bend by an angle about z, each at its own place.
std::vector<Affine> bent(float angle) {
    const auto turn_at = [&](float x) {
        return Affine(Eigen::Translation3f(x, 0, 0) * Eigen::AngleAxisf(angle, Vec3::UnitZ()) *
                      Eigen::Translation3f(-x, 0, 0));
    };
    return {Affine::Identity(), turn_at(1), turn_at(1) * turn_at(2)};
}

constexpr std::array all = {Skinning::rigid,      Skinning::linear_blend, Skinning::dual_quaternion,
                            Skinning::bulge_free, Skinning::bend_twist,   Skinning::centres_of_rotation};

}  // namespace

TEST_CASE("MeshDeformer: a rigid motion of all joints moves the mesh rigidly, whatever the skinning, morphed or not") {
    const BoundTube bound;
    Random random(7);
    const Affine motion = random_rigid(random);
    const std::vector<Affine> palette(3, motion);
    std::vector<Vec3> morphed = bound.tube.positions;
    for (Vec3& p : morphed) p += vector(random, 0.03);
    for (const Skinning skinning : all) {
        for (const int mush : {0, 5}) {
            for (const std::vector<Vec3>* shape : {&bound.tube.positions, &morphed}) {
                std::vector<Vec3> expected;
                for (const Vec3& p : *shape) expected.push_back(motion * p);
                const auto moved = bound.deformed({.skinning = skinning, .delta_mush = mush}, palette, *shape);
                CHECK(largest_difference(moved, expected) < 2e-5f);
            }
        }
    }
}

TEST_CASE("MeshDeformer: without more than weights it is the plain deformer; every other skinning bends otherwise") {
    const BoundTube bound;
    const std::vector<Affine> palette = bent(1.2f);
    std::vector<std::vector<Vec3>> results;
    for (const Skinning skinning : all)
        results.push_back(bound.deformed({.skinning = skinning}, palette, bound.tube.positions));
    results.push_back(bound.deformed({.delta_mush = 10}, palette, bound.tube.positions));
    for (size_t i = 0; i < results.size(); ++i)
        for (size_t k = 0; k < i; ++k) CHECK(largest_difference(results[i], results[k]) > 1e-3f);

    std::vector<Vec3> plain(bound.tube.positions.size());
    for (const size_t i : {0, 1, 2}) {
        deformer(all[i])(palette, {.influences = bound.tube.influences},
                         {.positions_in = bound.tube.positions, .positions_out = plain});
        CHECK(largest_difference(results[i], plain) == 0.0f);
    }
}

TEST_CASE("MeshDeformer: surface normals stand on the bent surface") {
    const BoundTube bound;
    const Tube& tube = bound.tube;
    std::vector<Vec3> normals, positions(tube.positions.size());
    for (const Vec3& p : tube.positions) normals.push_back(Vec3(0, p.y(), p.z()).normalized());
    const auto worst_error = [&](bool surface_normals) {
        std::vector<Vec3> bent_normals(normals.size());
        MeshDeformer(bound.mesh(), {.surface_normals = surface_normals})
            .deform(bent(0.8f), {.positions_in = tube.positions,
                                 .normals_in = normals,
                                 .positions_out = positions,
                                 .normals_out = bent_normals});
        // Around x = 1 the tube bends: there, an edge along the tube lies in the surface.
        float worst = 0.0f;
        for (size_t v = 16; v + 16 < positions.size(); ++v) {
            if (std::abs(tube.positions[v].x() - 1.0f) > 0.3f) continue;
            const Vec3 along = (positions[v + 16] - positions[v - 16]).normalized();
            worst = std::max(worst, std::abs(along.dot(bent_normals[v])));
        }
        return worst;
    };
    CHECK(worst_error(true) < 0.02f);
    CHECK(worst_error(false) > 0.05f);
}
