#include <sinew/morph/morph.h>

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("apply_morphs: adds weighted deltas to the listed vertices only") {
    std::vector<Vec3> positions(3, Vec3::Zero()), normals(3, Vec3::UnitZ());
    const std::vector<MorphTarget> targets = {{"a", {0, 2}, {{1, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 0}}, {}},
                                              {"b", {2}, {{0, 0, 4}}, {}, {}}};
    const std::vector<float> weights = {2.0f, 0.5f};
    apply_morphs(targets, weights, {.positions = positions, .normals = normals, .tangents = {}});
    CHECK(positions[0] == Vec3(2, 0, 0));
    CHECK(positions[1] == Vec3(0, 0, 0));
    CHECK(positions[2] == Vec3(0, 2, 2));
    CHECK(normals[0] == Vec3(2, 0, 1));
    CHECK(normals[2] == Vec3(0, 0, 1));
}
