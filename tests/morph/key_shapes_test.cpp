#include <doctest/doctest.h>

#include <sinew/morph/key_shapes.h>
#include "blend_shapes.h"

using namespace sinew;
using namespace sinew::test;

namespace {

std::vector<KeyShape> random_shapes(Random& random, size_t count, size_t vertices) {
    std::vector<KeyShape> shapes(count);
    for (KeyShape& shape : shapes) {
        for (size_t v = 0; v < vertices; ++v) {
            shape.positions.push_back(random_vector(random, 2));
            shape.normals.push_back(random_vector(random, 1).normalized());
            shape.tangents.push_back(random_vector(random, 1).normalized());
        }
    }
    return shapes;
}

}  // namespace

TEST_CASE("key shapes: the convex form and the delta form give the same face") {
    Random random(21);
    const std::vector<KeyShape> shapes = random_shapes(random, 4, 20);
    for (size_t neutral = 0; neutral < shapes.size(); ++neutral) {
        const std::vector<float> deltas = {0.2f, 0.5f, 0.1f};
        const std::vector<float> convex = convex_weights(deltas, neutral);
        CHECK(convex[neutral] == doctest::Approx(0.2));
        CHECK(delta_weights(convex, neutral) == deltas);
        const KeyShape expected = combine(shapes, convex);
        KeyShape moved = shapes[neutral];
        std::vector<Vec4> tangents;
        for (const Vec3& t : moved.tangents) tangents.push_back({t.x(), t.y(), t.z(), -1.0f});
        apply_morphs(to_deltas(shapes, neutral), deltas,
                     {.positions = moved.positions, .normals = moved.normals, .tangents = tangents});
        CHECK(largest_difference(moved.positions, expected.positions) < 1e-6f);
        CHECK(largest_difference(moved.normals, expected.normals) < 1e-6f);
        for (size_t v = 0; v < tangents.size(); ++v) {
            CHECK((tangents[v].head<3>() - expected.tangents[v]).norm() < 1e-6f);
            CHECK(tangents[v].w() == -1.0f);
        }
    }
}

TEST_CASE("key shapes: a convex combination commutes with a rigid motion, and equal shapes stay themselves") {
    Random random(22);
    std::vector<KeyShape> shapes = random_shapes(random, 3, 10);
    const std::vector<float> weights = {0.25f, 0.45f, 0.3f};
    const KeyShape still = combine(shapes, weights);
    const Affine motion = Eigen::Translation3f(3, -2, 1) * Eigen::AngleAxisf(1.2f, Vec3(1, 2, 3).normalized());
    for (KeyShape& shape : shapes) {
        for (Vec3& p : shape.positions) p = motion * p;
    }
    const KeyShape moved = combine(shapes, weights);
    for (size_t v = 0; v < 10; ++v) CHECK((moved.positions[v] - motion * still.positions[v]).norm() < 2e-6f);
    const std::vector<KeyShape> same = {shapes[0], shapes[0], shapes[0]};
    CHECK(largest_difference(combine(same, weights).positions, shapes[0].positions) < 1e-6f);
}

TEST_CASE("key shapes: deltas list only what differs, and lead back to the shapes") {
    Random random(23);
    std::vector<KeyShape> shapes = random_shapes(random, 1, 6);
    shapes.push_back(shapes[0]);
    shapes[1].positions[4] += Vec3(0, 1, 0);
    shapes[1].normals[2] = -shapes[1].normals[2];
    const std::vector<MorphTarget> targets = to_deltas(shapes, 0);
    REQUIRE(targets.size() == 1);
    CHECK(targets[0].vertices == std::vector<uint32_t>{2, 4});
    const std::vector<KeyShape> back = to_key_shapes(shapes[0], targets);
    REQUIRE(back.size() == 2);
    CHECK(largest_difference(back[1].positions, shapes[1].positions) < 1e-6f);
    CHECK(largest_difference(back[1].normals, shapes[1].normals) < 1e-6f);
    shapes[1].normals.clear();  // an attribute that a shape lacks is left out
    CHECK(to_deltas(shapes, 0)[0].normals.empty());
    CHECK(combine(shapes, std::vector<float>{0.5f, 0.5f}).normals.empty());
}
