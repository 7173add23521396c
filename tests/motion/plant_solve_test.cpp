#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/motion/plant/banded.h>
#include <sinew/motion/plant/curve_fill.h>
#include <sinew/motion/plant/foot_contacts.h>
#include <sinew/motion/plant/joint_solve.h>
#include <sinew/motion/retarget/contacts.h>
#include <support/humanoid.h>
#include <Eigen/Dense>
#include <array>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("BandedSystem: the same solution as a dense solver") {
    Random random(11);
    for (const auto& [size, band] : {std::pair{1, 2}, {2, 2}, {40, 2}, {90, 26}, {20, 26}}) {
        const auto n = static_cast<size_t>(size);
        Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
        BandedSystem system(n, static_cast<size_t>(band));
        for (int j = 0; j < size; ++j) {
            for (int i = j; i < std::min(size, j + band + 1); ++i) {
                const double value = i == j ? 2.0 * band : random.uniform(-1, 1);
                dense(i, j) = dense(j, i) = value;
                system.add(static_cast<size_t>(i), static_cast<size_t>(j), value);
            }
        }
        Eigen::VectorXd b(size);
        for (int i = 0; i < size; ++i) b[i] = random.uniform(-1, 1);
        std::vector<double> x(b.data(), b.data() + size);
        REQUIRE(system.factor());
        system.solve(x);
        const Eigen::VectorXd expected = dense.ldlt().solve(b);
        for (int i = 0; i < size; ++i) CHECK(x[static_cast<size_t>(i)] == doctest::Approx(expected[i]).epsilon(1e-10));
    }
}

TEST_CASE("BandedSystem: what is not positive definite is refused") {
    BandedSystem system(2, 1);
    system.add(0, 0, 1.0);
    system.add(1, 0, 2.0);
    system.add(1, 1, 1.0);
    CHECK_FALSE(system.factor());
}

TEST_CASE("fill_curve: goes through what is known, has the least bend elsewhere, and fades") {
    const double fps = 30, fade = 0.2;
    std::vector<Vec3d> values(90, Vec3d::Zero());
    std::vector<bool> known(90, false);
    for (size_t f = 40; f < 50; ++f) {
        known[f] = true;
        values[f] = Vec3d(0.3, -0.1, 0.01 * static_cast<double>(f));
    }
    const std::vector<Vec3d> filled = fill_curve(values, known, fade, fps);
    for (size_t f = 40; f < 50; ++f) CHECK((filled[f] - values[f]).norm() < 1e-6);
    CHECK(filled.front().norm() < 1e-2);
    CHECK(filled.back().norm() < 1e-2);
    const auto energy = [&](const std::vector<Vec3d>& x) {
        double sum = 0;
        for (size_t f = 0; f < x.size(); ++f) {
            sum += std::pow(fade * fps, -4.0) * x[f].squaredNorm();
            if (f >= 2) sum += (x[f] - 2 * x[f - 1] + x[f - 2]).squaredNorm();
        }
        return sum;
    };
    for (const size_t f : {size_t{3}, size_t{38}, size_t{50}, size_t{60}}) {
        for (const double by : {-1e-3, 1e-3}) {
            std::vector<Vec3d> other = filled;
            other[f].x() += by;
            CHECK(energy(other) > energy(filled));
        }
    }
}

TEST_CASE("knee_bend: the law of cosines, and its derivative, linear near the straight leg") {
    for (const auto& [thigh, shin] : {std::pair{0.5, 0.5}, {0.45, 0.55}, {0.3, 0.7}}) {
        for (double bend = 0.1; bend < 2.9; bend += 0.1) {
            const double d = std::sqrt(thigh * thigh + shin * shin + 2 * thigh * shin * std::cos(bend));
            const KneeBend knee = knee_bend(d, thigh, shin);
            CHECK(knee.bend == doctest::Approx(bend).epsilon(1e-9));
            const double step = 1e-6;
            const double slope = (knee_bend(d + step, thigh, shin).bend - knee_bend(d - step, thigh, shin).bend) / 2e-6;
            CHECK(knee.slope == doctest::Approx(slope).epsilon(1e-4));
        }
        // Out of reach it goes on, beyond zero: the solver feels how far.
        const KneeBend reach = knee_bend(thigh + shin, thigh, shin),
                       beyond = knee_bend(thigh + shin + 0.01, thigh, shin);
        CHECK(beyond.bend < reach.bend);
        CHECK(beyond.slope == reach.slope);
    }
}

namespace {

// Stands for a second, swings to a place 0.6 ahead and `rise` higher, stands again.
std::vector<Vec3d> step_path(double fps, double rise) {
    std::vector<Vec3d> path;
    for (int f = 0; f <= static_cast<int>(2.5 * fps); ++f) {
        const double u = std::clamp((f / fps - 1.0) / 0.5, 0.0, 1.0), s = u * u * (3 - 2 * u);
        path.emplace_back(0.0, rise * s + 0.4 * s * (1 - s), 0.6 * s);
    }
    return path;
}

}  // namespace

TEST_CASE("find_contacts: both stands of a step, on the floor or raised, at any rate") {
    for (const double fps : {12.0, 24.0, 30.0, 60.0, 120.0}) {
        for (const double rise : {0.0, 0.2}) {
            INFO(fps << " frames a second, " << rise);
            const auto contacts = find_contacts(step_path(fps, rise), Vec3d::UnitY(), 0.0, 0.8, fps);
            REQUIRE(contacts.size() == 2);
            CHECK_FALSE(contacts[0].raised);
            CHECK(contacts[1].raised == (rise > 0));
            CHECK(contacts[0].first == 0);
            CHECK(contacts[0].last / fps == doctest::Approx(1.0).epsilon(0.15));
            CHECK(contacts[1].first / fps == doctest::Approx(1.5).epsilon(0.12));
            CHECK(contacts[1].last == static_cast<int32_t>(2.5 * fps));
        }
    }
}

TEST_CASE("find_contacts: a point that only flies has none") {
    std::vector<Vec3d> path;
    for (int f = 0; f < 60; ++f) path.emplace_back(0.0, 0.5 + 0.3 * std::sin(0.3 * f), 0.05 * f);
    CHECK(find_contacts(path, Vec3d::UnitY(), 0.0, 0.8, 30.0).empty());
    CHECK(find_contacts({}, Vec3d::UnitY(), 0.0, 0.8, 30.0).empty());
}

TEST_CASE("standing_height: the floor, below a box that most of the clip stands on, and above what is noise") {
    constexpr double leg = 0.8, fps = 30, ankle = 0.08, box = 0.6;
    Random random(3);
    std::vector<Vec3d> path;
    const auto stand = [&](int frames, double height) {
        for (int f = 0; f < frames; ++f) path.emplace_back(0.0, height + random.uniform(-0.002, 0.002), 0.0);
    };
    stand(400, ankle + box);
    for (int f = 1; f < 10; ++f) path.emplace_back(0.0, ankle + box * (1 - 0.1 * f), 0.1 * f);  // jumps down
    stand(30, ankle);
    const std::array paths = {&path};
    CHECK(std::abs(standing_height(paths, Vec3d::UnitY(), leg, fps) - ankle) < 0.005);

    // A foot that dips into a soft floor for a moment does not lower it.
    path.clear();
    stand(200, ankle);
    stand(8, ankle - 0.025);
    stand(200, ankle);
    CHECK(std::abs(standing_height(paths, Vec3d::UnitY(), leg, fps) - ankle) < 0.005);
}

TEST_CASE("find_source_contacts: heels that stand on a stool alone do not make it the floor") {
    // Runs on the balls of the feet for two seconds, then sits with the heels on a stool and rolls the feet about them.
    constexpr double fps = 60, stool = 0.35;
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Body body = measure_body(human.skeleton, human.expected, world_pose(human.skeleton, human.skeleton.rest()));
    const double ankle = body.reference.position[static_cast<size_t>(body.feet[0].ankle)].y(),
                 ball = body.feet[0].ball(body.reference).y();
    SourcePaths paths;
    paths.has_feet = true;
    for (int f = 0; f < 240; ++f) {
        const double t = f / fps;
        paths.sockets.emplace_back(0, 0.8, t);
        for (size_t side = 0; side < 2; ++side) {
            const double phase = std::sin(9 * t + (side == 0 ? 0.0 : 3.14)), swing = std::max(0.0, phase);
            const bool runs = t < 2;
            FootPath& foot = paths.feet[side];
            foot.ankle.emplace_back(0, ankle + (runs ? 0.1 + 0.05 * phase : stool), runs ? 2 * t : 4.0);
            foot.ball.emplace_back(0, ball + (runs ? 0.2 * swing : stool + 0.1 * (t - 3)), runs ? swing : 1.0);
            paths.foot_rotation[side].push_back(body.reference.rotation[static_cast<size_t>(body.feet[side].ankle)]);
        }
    }
    const SourceContacts contacts = find_source_contacts(body, paths, fps);
    CHECK(contacts.level.ball == doctest::Approx(ball).epsilon(0.1));
    for (size_t side = 0; side < 2; ++side) {
        REQUIRE(!contacts.ankle[side].empty());
        CHECK(contacts.ankle[side].back().raised);
        for (size_t f = 0; f < 120; ++f) CHECK(contacts.foot_height[side][f] > -0.02);
    }
}

namespace {

// A leg that stands under a hip which moves on, its ball sliding along: what a change of proportions does to a stance.
LegCurves sliding_leg(size_t frames, double side) {
    LegCurves leg;
    for (size_t f = 0; f < frames; ++f) {
        const double t = static_cast<double>(f) / static_cast<double>(frames);
        leg.hip.emplace_back(side, 0.98, 0.3 * t);
        leg.ankle.emplace_back(side, 0.01 * std::sin(9 * t), 0.2 + 0.04 * t);
        leg.ball.emplace_back(side, 0.0, 0.35 + 0.04 * t);
        leg.bend.push_back(knee_bend((leg.ankle.back() - leg.hip.back()).norm(), leg.thigh, leg.shin).bend);
        leg.clearance.push_back(0.01 * std::sin(9 * t) + 0.01);
        leg.sole_goal.push_back(0.0);
        leg.stand.push_back(Stand::ground);
        leg.hold.push_back(1.0);
        leg.ankle_contact.push_back(0);
        leg.ball_contact.push_back(0);
    }
    return leg;
}

}  // namespace

TEST_CASE("place_legs: planted feet stand still, on the floor, with the pelvis where it was") {
    for (const size_t frames : {size_t{1}, size_t{2}, size_t{3}, size_t{60}}) {
        const std::array legs = {sliding_leg(frames, 0.1), sliding_leg(frames, -0.1)};
        const PlacedLegs placed = place_legs(legs, 30.0);
        REQUIRE(placed.pelvis.size() == frames);
        for (size_t side = 0; side < 2; ++side) {
            for (size_t f = 0; f < frames; ++f) {
                const Vec3d ball = legs[side].ball[f] + placed.foot[side][f],
                            first = legs[side].ball[0] + placed.foot[side][0];
                CHECK((ball - first).head<1>().norm() < 2e-4);
                CHECK(std::abs(ball.z() - first.z()) < 2e-4);
                CHECK(std::abs(legs[side].clearance[f] + placed.foot[side][f].y()) < 0.01);
                CHECK(std::abs(placed.pelvis[f].y()) < 0.015);
            }
        }
    }
}

TEST_CASE("place_legs: legs that need nothing are left alone, and none at all is no error") {
    LegCurves leg = sliding_leg(20, 0.1);
    std::ranges::fill(leg.sole_goal, no_goal);
    std::ranges::fill(leg.ankle_contact, -1);
    std::ranges::fill(leg.ball_contact, -1);
    std::ranges::fill(leg.clearance, 0.5);
    const PlacedLegs placed = place_legs({leg, LegCurves{}}, 30.0);
    for (size_t f = 0; f < 20; ++f) {
        CHECK(placed.pelvis[f].norm() < 1e-9);
        CHECK(placed.foot[0][f].norm() < 1e-9);
    }
    CHECK(place_legs({}, 30.0).pelvis.empty());
}
