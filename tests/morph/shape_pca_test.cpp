#include <doctest/doctest.h>

#include <sinew/morph/key_shapes.h>
#include "blend_shapes.h"
#include "makehuman_face.h"
#include "support/data_case.h"

using namespace sinew;
using namespace sinew::test;

namespace {

double dot(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double sum = 0.0;
    for (size_t v = 0; v < a.size(); ++v) sum += a[v].cast<double>().dot(b[v].cast<double>());
    return sum;
}

std::vector<std::vector<Vec3>> random_faces(Random& random, size_t count) {
    const Surface base = cheek(6);
    std::vector<std::vector<Vec3>> shapes(count, base.positions);
    for (auto& shape : shapes) {
        for (Vec3& p : shape) p += random_vector(random, 0.2);
    }
    return shapes;
}

}  // namespace

TEST_CASE("shape_pca: shapes along two known directions give back directions, variances and signs") {
    const size_t n = 4;
    std::vector<Vec3> mean(n, Vec3(1, 2, 3)), first(n, Vec3::Zero()), second(n, Vec3::Zero());
    first[1] = Vec3(0, -0.6f, 0), first[2] = Vec3(0.8f, 0, 0);  // unit; its largest entry is positive
    second[3] = Vec3(0, 0, 1);                                  // unit, orthogonal to it
    std::vector<std::vector<Vec3>> shapes;
    for (const auto& [a, b] : {std::pair{3.0f, 0.0f}, {-3.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, -1.0f}}) {
        shapes.push_back(mean);
        for (size_t v = 0; v < n; ++v) shapes.back()[v] += a * first[v] + b * second[v];
    }
    const ShapePca pca = shape_pca(shapes);
    REQUIRE(pca.components.size() == 2);
    CHECK(largest_difference(pca.mean, mean) < 1e-6f);
    CHECK(largest_difference(pca.components[0], first) < 1e-5f);
    CHECK(largest_difference(pca.components[1], second) < 1e-5f);
    CHECK(pca.variances[0] == doctest::Approx(6.0));  // (9 + 9) / (4 − 1)
    CHECK(pca.variances[1] == doctest::Approx(2.0 / 3.0));
    CHECK(shape_pca(shapes, {.max_components = 1}).components.size() == 1);
    CHECK(shape_pca(shapes, {.keep_variance = 0.85}).components.size() == 1);
    const std::vector<MorphTarget> targets = to_morph_targets(pca);
    CHECK((targets[1].positions[3] - std::sqrt(2.0f / 3.0f) * second[3]).norm() < 1e-5f);
}

TEST_CASE("shape_pca: orthonormal, complete, and its scores have the variances it says") {
    Random random(31);
    const auto shapes = random_faces(random, 7);
    const ShapePca pca = shape_pca(shapes);
    REQUIRE(pca.components.size() == 6);
    double sum = 0.0;
    for (size_t i = 0; i < 6; ++i) {
        for (size_t j = 0; j <= i; ++j)
            CHECK(dot(pca.components[i], pca.components[j]) == doctest::Approx(i == j).epsilon(1e-5));
        double variance = 0.0;
        for (const auto& shape : shapes) variance += std::pow(project(pca, shape)[i], 2) / 6.0;
        CHECK(variance == doctest::Approx(pca.variances[i]).epsilon(1e-5));
        sum += pca.variances[i];
    }
    CHECK(sum == doctest::Approx(pca.total_variance).epsilon(1e-6));
    for (const auto& shape : shapes) CHECK(largest_difference(reconstruct(pca, project(pca, shape)), shape) < 2e-6f);
}

TEST_CASE("shape_pca: the order of the shapes does not matter, nor do copies of one shape or a single one") {
    Random random(32);
    auto shapes = random_faces(random, 5);
    const ShapePca forwards = shape_pca(shapes);
    std::ranges::reverse(shapes);
    const ShapePca backwards = shape_pca(shapes);
    for (size_t c = 0; c < 4; ++c) CHECK(largest_difference(forwards.components[c], backwards.components[c]) < 1e-5f);
    CHECK(shape_pca(std::vector(3, shapes[0])).components.empty());
    CHECK(largest_difference(shape_pca(std::vector(1, shapes[0])).mean, shapes[0]) == 0.0f);
}

DATA_TEST_CASE("shape_pca: a few components hold most of a real face's expressions") {
    const auto face = makehuman_face();
    REQUIRE(face);
    std::vector<std::vector<Vec3>> shapes = {face->neutral};
    for (size_t t = 0; t < face->targets.size(); ++t) {
        std::vector<float> weights(face->targets.size(), 0.0f);
        weights[t] = 1.0f;
        apply_morphs(face->targets, weights,
                     {.positions = shapes.emplace_back(face->neutral), .normals = {}, .tangents = {}});
    }
    const ShapePca pca = shape_pca(shapes, {.keep_variance = 0.99});
    MESSAGE(pca.components.size() << " components of " << shapes.size() << " shapes hold 99% of the variance");
    CHECK(pca.components.size() < shapes.size() - 1);
    double missing = 0.0;
    for (const auto& shape : shapes) {
        const std::vector<Vec3> back = reconstruct(pca, project(pca, shape));
        for (size_t v = 0; v < shape.size(); ++v) missing += double{(back[v] - shape[v]).squaredNorm()};
    }
    CHECK(missing / static_cast<double>(shapes.size() - 1) <= 0.0101 * pca.total_variance);
}
