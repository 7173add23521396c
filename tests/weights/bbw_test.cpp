#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/weights/bbw/bbw.h>
#include "solids.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// Slow twin: Q put together entry by entry, then sweeps over the cells, each of which takes the best row there is while
// all others stand still (for a quadratic with Q_cc on the diagonal, the projection of the unbounded best).
double reference_energy(const Volume& volume, size_t handles, std::span<const HeldCell> held, int sweeps) {
    const auto n = static_cast<Eigen::Index>(volume.size());
    Eigen::MatrixXd L = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index c = 0; c < n; ++c)
        for (uint32_t i = volume.first[static_cast<size_t>(c)]; i < volume.first[static_cast<size_t>(c) + 1]; ++i) {
            L(c, static_cast<Eigen::Index>(volume.others[i])) -= volume.flows[i];
            L(c, c) += volume.flows[i];
        }
    const Eigen::Map<const Eigen::VectorXd> mass(volume.volumes.data(), n);
    const Eigen::MatrixXd Q = L * mass.cwiseInverse().asDiagonal() * L;
    Eigen::MatrixXd W =
        Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(handles), n, 1.0 / static_cast<double>(handles));
    std::vector<uint8_t> fixed(volume.size(), 0);
    for (const HeldCell& h : held) {
        fixed[h.cell] = 1;
        for (size_t k = 0; k < handles; ++k)
            W(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(h.cell)) = h.row[k];
    }
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (Eigen::Index c = 0; c < n; ++c) {
            if (fixed[static_cast<size_t>(c)]) continue;
            Eigen::VectorXd row = W.col(c) - (W * Q.col(c)) / Q(c, c);
            project_to_simplex({row.data(), handles});
            W.col(c) = row;
        }
    return (W * Q).cwiseProduct(W).sum();
}

// A cell that is higher than everything around it, by more than `margin`, and that no handle holds.
size_t false_summits(const Volume& volume, const BbwSolution& solution, size_t handles, std::span<const HeldCell> held,
                     double margin) {
    std::vector<uint8_t> fixed(volume.size(), 0);
    for (const HeldCell& h : held) fixed[h.cell] = 1;
    size_t count = 0;
    for (size_t c = 0; c < volume.size(); ++c)
        for (size_t k = 0; !fixed[c] && k < handles; ++k) {
            double highest = 0.0;
            for (uint32_t i = volume.first[c]; i < volume.first[c + 1]; ++i)
                highest = std::max(highest, solution.weights[volume.others[i] * handles + k]);
            count += solution.weights[c * handles + k] > highest + margin;
        }
    return count;
}

HeldCell one_hot(const Volume& volume, const Surface& surface, const Vec3d& p, size_t handle, size_t handles) {
    HeldCell held{volume.at(surface.to_surface(p)), std::vector<double>(handles, 0.0)};
    held.row[handle] = 1.0;
    return held;
}

void check_rows(const BbwSolution& solution, size_t handles) {
    CHECK(solution.sum_error < 1e-4);
    for (size_t c = 0; c * handles < solution.weights.size(); ++c) {
        double sum = 0.0;
        for (size_t k = 0; k < handles; ++k) {
            const double w = solution.weights[c * handles + k];
            CHECK(w >= -1e-4);
            CHECK(w <= 1.0 + 1e-4);
            sum += w;
        }
        CHECK(sum == doctest::Approx(1.0).epsilon(1e-4));
    }
}

Shape cross() {
    Shape s = box({-1, -0.25f, -0.25f}, {1, 0.25f, 0.25f});
    s.add(box({-0.25f, -1, -0.25f}, {0.25f, 1, 0.25f}));
    return s;
}

}  // namespace

TEST_CASE("project_to_simplex: known points, and no nearer point at random") {
    std::vector<double> inside = {0.2, 0.3, 0.5}, corner = {5.0, 0.1, -3.0}, even = {-7.0, -7.0};
    for (auto* row : {&inside, &corner, &even}) project_to_simplex(*row);
    CHECK(inside == std::vector{0.2, 0.3, 0.5});
    CHECK(corner == std::vector{1.0, 0.0, 0.0});
    CHECK(even == std::vector{0.5, 0.5});
    Random random(3);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<double> point(4);
        for (double& x : point) x = random.uniform(-1, 1);
        std::vector<double> nearest = point;
        project_to_simplex(nearest);
        const auto distance = [&](const std::vector<double>& q) {
            double sum = 0.0;
            for (size_t k = 0; k < 4; ++k) sum += (q[k] - point[k]) * (q[k] - point[k]);
            return sum;
        };
        std::vector<double> other(4);
        double sum = 0.0;
        for (double& x : other) sum += x = -std::log(1.0 - random.uniform());
        for (size_t k = 0; k < 4; ++k) other[k] = 0.9 * nearest[k] + 0.1 * other[k] / sum;
        CHECK(distance(nearest) <= distance(other) + 1e-12);
    }
}

TEST_CASE("solve_bbw: as smooth as the slow reference finds, within bounds, without false summits") {
    const Surface surface = cross().surface();
    const Volume volume = make_volume(surface, {.resolution = 15, .largest_cell = 1});
    REQUIRE(volume.size() > 200);
    REQUIRE(volume.size() < 1500);
    const std::vector<HeldCell> held = {
        one_hot(volume, surface, {-0.9, 0, 0}, 0, 4), one_hot(volume, surface, {0.9, 0, 0}, 1, 4),
        one_hot(volume, surface, {0, -0.9, 0}, 2, 4), one_hot(volume, surface, {0, 0.9, 0}, 3, 4)};
    const BbwSolution solution = solve_bbw(volume, 4, held);
    CHECK(solution.converged);
    check_rows(solution, 4);
    CHECK(false_summits(volume, solution, 4, held, 1e-3) == 0);
    const double reference = reference_energy(volume, 4, held, 3000);
    MESSAGE("energy " << solution.energy << " after " << solution.iterations << " iterations, reference " << reference);
    CHECK(solution.energy <= 1.02 * reference);
    CHECK(solution.energy >= 0.98 * reference);
    // Four equal arms: in the middle all are equal.
    const size_t middle = volume.at(surface.to_surface({0, 0, 0}));
    for (size_t k = 0; k < 4; ++k) CHECK(solution.weights[middle * 4 + k] == doctest::Approx(0.25).epsilon(0.02));
}

TEST_CASE("remove_false_summits: bumps go, handles and good weights stay") {
    const Surface surface = cross().surface();
    const Volume volume = make_volume(surface, {.resolution = 15, .largest_cell = 1});
    const std::vector<HeldCell> held = {one_hot(volume, surface, {-0.9, 0, 0}, 0, 3),
                                        one_hot(volume, surface, {0.9, 0, 0}, 1, 3),
                                        one_hot(volume, surface, {0, -0.9, 0}, 2, 3)};
    const std::vector<double> smooth = solve_bbw(volume, 3, held).weights;
    BbwSolution bumpy{.weights = smooth};
    Random random(5);
    for (uint32_t c = 0; c < volume.size(); c += 7) {
        if (c == held[0].cell || c == held[1].cell || c == held[2].cell) continue;
        const double bump = random.uniform(0.0, 0.2);
        for (size_t k = 0; k < 3; ++k)
            bumpy.weights[3 * c + k] = (bumpy.weights[3 * c + k] + (k == c % 3 ? bump : 0.0)) / (1.0 + bump);
    }
    REQUIRE(false_summits(volume, bumpy, 3, held, 1e-3) > 10);
    remove_false_summits(volume, held, 3, bumpy.weights);
    CHECK(false_summits(volume, bumpy, 3, held, 1e-3) == 0);
    check_rows(bumpy, 3);
    for (const HeldCell& h : held)
        for (size_t k = 0; k < 3; ++k) CHECK(bumpy.weights[3 * h.cell + k] == doctest::Approx(h.row[k]));
    std::vector<double> again = smooth;
    remove_false_summits(volume, held, 3, again);
    for (size_t i = 0; i < again.size(); ++i) CHECK(std::abs(again[i] - smooth[i]) < 2e-3);
}

TEST_CASE("bbw_weights: bones of an arm; smooth, complete, monotone") {
    const Surface surface = tube({-1, 0, 0}, {1, 0, 0}, 0.12f, 100, 16).surface();
    const std::vector<Bone> bones = {bone(surface, 7, {-0.95, 0, 0}, {-0.05, 0, 0}),
                                     bone(surface, 4, {0.05, 0, 0}, {0.95, 0, 0})};
    const BbwResult result = bbw_weights(surface, {.bones = bones});
    CHECK(result.solution.converged);
    check_rows(result.solution, 2);
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        const double x = surface.from_surface(surface.positions[v]).x();
        REQUIRE(!result.field.of(v).empty());
        double seven = 0.0;
        for (const Influence& i : result.field.of(v)) seven += i.joint == 7 ? static_cast<double>(i.weight) : 0.0;
        if (x < -0.3) CHECK(seven > 0.97);
        if (x > 0.3) CHECK(seven < 0.03);
        if (std::abs(x) < 0.011) CHECK(seven == doctest::Approx(0.5).epsilon(0.15));
    }
}

TEST_CASE("bbw_weights: points and a cage") {
    const Surface surface = box({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}).surface();
    const std::vector<Vec3d> one = {surface.to_surface({0, 0, 0})};
    const BbwResult alone = bbw_weights(surface, {.points = one, .first_number = 3}, {.volume = {.resolution = 32}});
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        REQUIRE(alone.field.of(v).size() == 1);
        CHECK(alone.field.of(v)[0].joint == 3);
        CHECK(alone.field.of(v)[0].weight == doctest::Approx(1.0));
    }
    // A cube within a cube: every corner of the inner one follows mostly the corner of the cage before it.
    const Shape outer = box({-1, -1, -1}, {1, 1, 1});
    std::vector<Vec3d> cage;
    for (const Vec3& p : outer.positions) cage.push_back(surface.to_surface(p.cast<double>()));
    const BbwResult caged =
        bbw_weights(surface, {.cage = cage, .cage_triangles = outer.triangles}, {.volume = {.resolution = 32}});
    check_rows(caged.solution, 8);
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        const Vec3d p = surface.from_surface(surface.positions[v]);
        const auto nearest = static_cast<uint32_t>((p.x() > 0) + 2 * (p.y() > 0) + 4 * (p.z() > 0));
        REQUIRE(!caged.field.of(v).empty());
        CHECK(caged.field.of(v)[0].joint == nearest);
        Vec3d follows = Vec3d::Zero();
        for (const Influence& i : caged.field.of(v))
            follows += static_cast<double>(i.weight) * surface.from_surface(cage[i.joint]);
        CHECK((follows - p).norm() < 0.2);  // nearly linear inside, as weights on the cage are
    }
    CHECK(bbw_weights(surface, {}).field.vertex_count() == 0);
}
