#include <doctest/doctest.h>

#include <sinew/morph/box_least_squares.h>
#include <sinew/morph/direct_manipulation.h>
#include "blend_shapes.h"
#include "makehuman_face.h"
#include "support/data_case.h"

using namespace sinew;
using namespace sinew::test;

namespace {

std::vector<Vec3> morphed(std::span<const Vec3> neutral, std::span<const MorphTarget> targets,
                          std::span<const float> weights) {
    std::vector<Vec3> positions(neutral.begin(), neutral.end());
    apply_morphs(targets, weights, {.positions = positions, .normals = {}, .tangents = {}});
    return positions;
}

struct Problem {
    Eigen::MatrixXd H;
    Eigen::VectorXd g, low, high;
    double value(const Eigen::VectorXd& x) const { return 0.5 * x.dot(H * x) - g.dot(x); }
};

Problem random_problem(Random& random, int n, int rank) {
    const auto number = [&] { return random.uniform(-1, 1); };
    const Eigen::MatrixXd a = Eigen::MatrixXd::NullaryExpr(rank, n, number);
    Problem p{a.transpose() * a, {}, {}, {}};
    p.g = a.transpose() * Eigen::VectorXd::NullaryExpr(rank, number) * 2.0;
    p.low = Eigen::VectorXd::NullaryExpr(n, [&] { return -random.uniform(); });
    p.high = Eigen::VectorXd::NullaryExpr(n, [&] { return random.uniform(); });
    return p;
}

// Slow twin: a great many projected gradient steps.
Eigen::VectorXd projected_gradient(const Problem& p) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(p.g.size());
    const double step = 1.0 / p.H.norm();
    for (int i = 0; i < 20000; ++i) x = (x + step * (p.g - p.H * x)).cwiseMax(p.low).cwiseMin(p.high);
    return x;
}

}  // namespace

TEST_CASE("minimise_in_box: one unknown is clamped, a corner is a corner") {
    const Eigen::MatrixXd H = Eigen::MatrixXd::Identity(2, 2) * 4.0;
    const Eigen::Vector2d low(0, 0), high(1, 1);
    const BoxSolution solved = minimise_in_box(H, Eigen::Vector2d(2, 40), low, high, Eigen::Vector2d(0, 0));
    CHECK(solved.converged);
    CHECK(solved.x[0] == doctest::Approx(0.5));
    CHECK(solved.x[1] == 1.0);
    // Correlated: clamping the free minimum (2, −1) would give (1, 0); the true one moves along the edge.
    Eigen::Matrix2d C;
    C << 2, 1, 1, 2;
    const BoxSolution edge = minimise_in_box(C, C * Eigen::Vector2d(2, -1), Eigen::Vector2d(0, -5), high, low);
    CHECK(edge.x[0] == 1.0);
    CHECK(edge.x[1] == doctest::Approx(-0.5));
}

TEST_CASE("minimise_in_box: as low as projected gradient descent gets, also where H is singular") {
    Random random(51);
    for (int i = 0; i < 60; ++i) {
        const int n = 1 + static_cast<int>(random.below(9));
        const Problem p = random_problem(random, n, i % 3 == 0 ? std::max(1, n / 2) : n + 2);
        const BoxSolution solved = minimise_in_box(p.H, p.g, p.low, p.high, Eigen::VectorXd::Zero(n));
        CHECK(solved.converged);
        CHECK((solved.x.array() >= p.low.array()).all());
        CHECK((solved.x.array() <= p.high.array()).all());
        CHECK(p.value(solved.x) <= p.value(projected_gradient(p)) + 1e-7);
        CHECK(solved.optimality < 1e-7);
    }
}

TEST_CASE("solve_weights: a reachable drag arrives; what no handle sees stays as it is") {
    Random random(52);
    const Surface face = cheek(8);
    std::vector<MorphTarget> targets;
    for (int t = 0; t < 6; ++t) targets.push_back(random_target(random, 64, 0.9));
    targets.push_back({"elsewhere", {63}, {{1, 1, 1}}, {}, {}});
    const std::vector<float> wanted = {0.3f, 0.0f, 1.0f, 0.6f, 0.1f, 0.9f, 0.0f};
    const std::vector<Vec3> goal = morphed(face.positions, targets, wanted);
    const std::vector<DragHandle> handles = {{3, goal[3]}, {27, goal[27]}, {50, goal[50]}};
    const std::vector<float> current = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.7f};
    const DirectManipulation solved = solve_weights(face.positions, targets, current, handles);
    CHECK(solved.report.converged);
    CHECK(solved.report.residual < 1e-3f * solved.report.distance_before[0]);
    CHECK(solved.weights[6] == doctest::Approx(0.7f));
    const std::vector<Vec3> reached = morphed(face.positions, targets, solved.weights);
    for (size_t h = 0; h < 3; ++h) {
        CHECK((reached[handles[h].vertex] - handles[h].position).norm() ==
              doctest::Approx(solved.report.distance_after[h]).epsilon(0.01).scale(1e-3));
    }
    // Nothing to do: nothing changes.
    const DirectManipulation again = solve_weights(face.positions, targets, wanted, handles);
    for (size_t t = 0; t < wanted.size(); ++t) CHECK(again.weights[t] == doctest::Approx(wanted[t]).epsilon(1e-4));
}

TEST_CASE("solve_weights: an unreachable drag stops at the bounds and says how far it got") {
    const std::vector<Vec3> neutral = {{0, 0, 0}, {1, 0, 0}};
    const std::vector<MorphTarget> targets = {{"up", {0}, {{0, 1, 0}}, {}, {}}, {"side", {0}, {{2, 0, 0}}, {}, {}}};
    const std::vector<DragHandle> handles = {{0, {0.5f, 3, 0}}};
    const DirectManipulation solved = solve_weights(neutral, targets, {}, handles);
    CHECK(solved.weights[0] == 1.0f);
    CHECK(solved.weights[1] == doctest::Approx(0.25f).epsilon(1e-4));
    CHECK(solved.report.residual == doctest::Approx(2.0f).epsilon(1e-4));
    CHECK(solved.report.at_bounds == 1);
    const std::vector<float> lows = {-1.0f, 0.1f}, highs = {5.0f, 0.1f};  // the second weight is held
    const DirectManipulation held = solve_weights(neutral, targets, {}, handles, {.lows = lows, .highs = highs});
    CHECK(held.weights[0] == doctest::Approx(3.0f).epsilon(1e-4));
    CHECK(held.weights[1] == 0.1f);
    CHECK(held.report.at_bounds == 0);
}

TEST_CASE("solve_weights: handles that mean nothing count for nothing; no targets, no handles") {
    const std::vector<Vec3> neutral = {{0, 0, 0}};
    const std::vector<MorphTarget> targets = {{"up", {0}, {{0, 1, 0}}, {}, {}}};
    const std::vector<DragHandle> handles = {{7, {0, 0, 0}}, {0, {NAN, 0, 0}}, {0, {0, 0.5f, 0}}};
    const DirectManipulation solved = solve_weights(neutral, targets, {}, handles);
    CHECK(solved.weights[0] == doctest::Approx(0.5f).epsilon(1e-4));
    CHECK(std::isinf(solved.report.distance_after[0]));
    CHECK(std::isinf(solved.report.distance_after[1]));
    CHECK(solve_weights(neutral, targets, std::vector{0.4f}, {}).weights[0] == doctest::Approx(0.4f));
    CHECK(solve_weights(neutral, {}, {}, handles).weights.empty());
}

DATA_TEST_CASE("solve_weights: three points of a real face go where they are dragged") {
    const auto face = makehuman_face();
    REQUIRE(face);
    REQUIRE(face->targets.size() >= 20);
    Random random(53);
    float worst = 0.0f;
    for (int trial = 0; trial < 20; ++trial) {
        // A reachable goal: some expression, and the three vertices of it that a few targets move most.
        std::vector<float> wanted(face->targets.size(), 0.0f);
        for (float& weight : wanted) weight = random.uniform() < 0.3 ? static_cast<float>(random.uniform()) : 0.0f;
        const std::vector<Vec3> goal = morphed(face->neutral, face->targets, wanted);
        std::vector<DragHandle> handles;
        for (int h = 0; h < 3; ++h) {
            const MorphTarget& target = face->targets[random.below(face->targets.size())];
            size_t most = 0;
            for (size_t i = 0; i < target.vertices.size(); ++i) {
                if (target.positions[i].norm() > target.positions[most].norm()) most = i;
            }
            handles.push_back({target.vertices[most], goal[target.vertices[most]]});
        }
        const DirectManipulation solved = solve_weights(face->neutral, face->targets, {}, handles);
        CHECK(solved.report.converged);
        for (const float weight : solved.weights) CHECK((weight >= 0.0f && weight <= 1.0f));
        const std::vector<Vec3> reached = morphed(face->neutral, face->targets, solved.weights);
        float furthest = 0.0f;
        for (const DragHandle& h : handles)
            furthest = std::max(furthest, (h.position - face->neutral[h.vertex]).norm());
        for (const DragHandle& h : handles) {
            if (furthest > 0.0f) worst = std::max(worst, (reached[h.vertex] - h.position).norm() / furthest);
        }
    }
    MESSAGE("worst distance from a dragged point, relative to the drag: " << worst);
    CHECK(worst < 0.01f);
}
