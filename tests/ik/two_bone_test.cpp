#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/ik/two_bone.h>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace sinew;

namespace {

Vec3d random_point(Random& random, double size) {
    return size * Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

Vec3d random_direction(Random& random) {
    Vec3d v = random_point(random, 1);
    while (v.norm() < 0.1 || v.norm() > 1) v = random_point(random, 1);
    return v.normalized();
}

TwoBoneLimb random_limb(Random& random) {
    const Vec3d root = random_point(random, 2);
    const Vec3d mid = root + random.uniform(0.1, 1) * random_direction(random);
    return {root, mid, mid + random.uniform(0.1, 1) * random_direction(random)};
}

double upper_length(const TwoBoneLimb& limb) {
    return (limb.mid - limb.root).norm();
}
double lower_length(const TwoBoneLimb& limb) {
    return (limb.tip - limb.mid).norm();
}
double length(const TwoBoneLimb& limb) {
    return upper_length(limb) + lower_length(limb);
}

// What holds for every solution, whatever was asked.
void check_sound(const TwoBoneLimb& before, const TwoBoneGoal& goal, const TwoBoneSolution& solution) {
    const double tolerance = 1e-12 * (length(before) + before.root.norm());
    const TwoBoneLimb& after = solution.limb;
    CHECK(after.root == before.root);
    CHECK(std::abs(upper_length(after) - upper_length(before)) <= tolerance);
    CHECK(std::abs(lower_length(after) - lower_length(before)) <= tolerance);
    CHECK(solution.error == doctest::Approx((after.tip - goal.target).norm()));
    CHECK(solution.reached == (solution.error <= 1e-6 * length(before)));
    CHECK(std::abs(solution.hinge.norm() - 1) < 1e-12);
    CHECK(std::abs(solution.hinge.dot(after.mid - after.root)) <= tolerance);
    CHECK(std::abs(solution.hinge.dot(after.tip - after.root)) <= tolerance);
    // The rotations take the old bones to the new ones; nearly opposite bones cost some digits.
    const Quatd &upper = solution.upper_turn, lower = solution.lower_turn * upper;
    CHECK(std::abs(upper.norm() - 1) < 1e-12);
    CHECK(std::abs(lower.norm() - 1) < 1e-12);
    const Vec3d mid = before.root + upper * (before.mid - before.root);
    CHECK((mid - after.mid).norm() <= 1e-5 * length(before) + tolerance);
    CHECK((mid + lower * (before.tip - before.mid) - after.tip).norm() <= 1e-5 * length(before) + tolerance);
}

// The interior angle at the mid joint.
double mid_angle(const TwoBoneLimb& limb) {
    const Vec3d a = limb.root - limb.mid, b = limb.tip - limb.mid;
    return std::atan2(a.cross(b).norm(), a.dot(b));
}

const TwoBoneLimb hanging_leg{{0, 1, 0}, {0, 0.5, 0}, {0, 0, 0}};  // hip, knee, ankle; straight down
const Vec3d forwards = Vec3d::UnitZ();

}  // namespace

TEST_CASE("two-bone: a 3-4-5 triangle, both solutions") {
    const TwoBoneLimb limb{{0, 0, 0}, {3, 0, 0}, {7, 0, 0}};
    TwoBoneGoal goal{.target = {0, 5, 0}, .pole = {1, 0, 0}};
    const TwoBoneSolution towards = solve_two_bone(limb, goal);
    // The right angle is at the mid joint: it stands 9/5 up the line and 12/5 off it.
    CHECK((towards.limb.mid - Vec3d(2.4, 1.8, 0)).norm() < 1e-14);
    CHECK((towards.limb.tip - goal.target).norm() < 1e-14);
    CHECK(mid_angle(towards.limb) == doctest::Approx(pi / 2).epsilon(1e-7));
    CHECK((towards.hinge - Vec3d(0, 0, 1)).norm() < 1e-14);
    CHECK(towards.reached);
    check_sound(limb, goal, towards);

    const TwoBoneSolution away = solve_two_bone(limb, goal, {.bend = TwoBoneBend::away_from_pole});
    CHECK((away.limb.mid - Vec3d(-2.4, 1.8, 0)).norm() < 1e-14);
    CHECK((away.limb.tip - goal.target).norm() < 1e-14);
    CHECK((away.hinge - Vec3d(0, 0, -1)).norm() < 1e-14);
    check_sound(limb, goal, away);
}

TEST_CASE("two-bone: the bend is the law of cosines', for every distance") {
    Random random(2);
    for (int i = 0; i < 2000; ++i) {
        const TwoBoneLimb limb = random_limb(random);
        const double a = upper_length(limb), b = lower_length(limb);
        const double d = random.uniform(std::abs(a - b) + 1e-3, a + b - 1e-3);
        const TwoBoneGoal goal{.target = limb.root + d * random_direction(random), .pole = random_direction(random)};
        for (const TwoBoneBend bend : {TwoBoneBend::towards_pole, TwoBoneBend::away_from_pole}) {
            const TwoBoneSolution solution = solve_two_bone(limb, goal, {.bend = bend});
            check_sound(limb, goal, solution);
            CHECK(solution.reached);
            CHECK(solution.error < 1e-12);
            CHECK(mid_angle(solution.limb) ==
                  doctest::Approx(std::acos((a * a + b * b - d * d) / (2 * a * b))).epsilon(1e-9));
            // On the pole's side of the line, in the pole's plane.
            const Vec3d along = (goal.target - limb.root).normalized();
            const Vec3d off = solution.limb.mid - limb.root - along * along.dot(solution.limb.mid - limb.root);
            const double side = off.dot(goal.pole);
            CHECK((bend == TwoBoneBend::towards_pole ? side : -side) > 0);
            CHECK(std::abs(off.dot(goal.pole.cross(along))) < 1e-12);
        }
    }
}

TEST_CASE("two-bone: turning the lower bone about the hinge bends the limb further") {
    Random random(3);
    for (int i = 0; i < 500; ++i) {
        const TwoBoneLimb limb = random_limb(random);
        const double a = upper_length(limb), b = lower_length(limb);
        const double d = 0.5 * (std::abs(a - b) + a + b);
        const TwoBoneGoal goal{.target = limb.root + d * random_direction(random), .pole = random_direction(random)};
        const TwoBoneSolution solution = solve_two_bone(limb, goal);
        TwoBoneLimb further = solution.limb;
        further.tip = further.mid + Eigen::AngleAxisd(0.1, solution.hinge) * (further.tip - further.mid);
        CHECK(mid_angle(further) == doctest::Approx(mid_angle(solution.limb) - 0.1).epsilon(1e-9));
    }
}

TEST_CASE("two-bone: turn, move and scale the problem, and the solution does the same") {
    Random random(4);
    for (int i = 0; i < 500; ++i) {
        const TwoBoneLimb limb = random_limb(random);
        const TwoBoneGoal goal{.target = limb.root + random_point(random, 1.5), .pole = random_direction(random)};
        const TwoBoneOptions options{.straightest = 0.99, .tightest = 0.01, .softness = i % 2 ? 0.1 : 0.0};
        const TwoBoneSolution here = solve_two_bone(limb, goal, options);

        const Quatd turn(Eigen::AngleAxisd(random.uniform(0, 3), random_direction(random)));
        const Vec3d shift = random_point(random, 3);
        const double scale = std::pow(10.0, random.uniform(-3, 3));
        const auto there = [&](const Vec3d& p) { return Vec3d(scale * (turn * p) + shift); };
        const TwoBoneSolution moved =
            solve_two_bone({there(limb.root), there(limb.mid), there(limb.tip)},
                           {.target = there(goal.target), .pole = turn * (7.0 * goal.pole)}, options);
        const double tolerance = 1e-10 * (scale + shift.norm());
        CHECK((moved.limb.mid - there(here.limb.mid)).norm() < tolerance);
        CHECK((moved.limb.tip - there(here.limb.tip)).norm() < tolerance);
        CHECK(std::abs(moved.error - scale * here.error) < tolerance);
        CHECK((moved.hinge - turn * here.hinge).norm() < 1e-9);
        CHECK(moved.reached == here.reached);
    }
}

TEST_CASE("two-bone: a solved limb asked for the same again stays") {
    Random random(5);
    for (int i = 0; i < 500; ++i) {
        const TwoBoneLimb limb = random_limb(random);
        const TwoBoneGoal goal{.target = limb.root + random_point(random, 1), .pole = random_direction(random)};
        const TwoBoneSolution once = solve_two_bone(limb, goal);
        const TwoBoneSolution twice = solve_two_bone(once.limb, goal);
        CHECK((twice.limb.mid - once.limb.mid).norm() < 1e-7);  // √ε: a straight limb's knee is that uncertain
        CHECK((twice.limb.tip - once.limb.tip).norm() < 1e-12);
        CHECK(twice.upper_turn.vec().norm() < 1e-7);
        CHECK(twice.lower_turn.vec().norm() < 1e-7);
    }
}

TEST_CASE("two-bone: a target out of reach gets the nearest tip there is") {
    Random random(6);
    for (int i = 0; i < 1000; ++i) {
        const TwoBoneLimb limb = random_limb(random);
        const double a = upper_length(limb), b = lower_length(limb), folded = std::abs(a - b);
        const bool far = i % 2 == 0;
        const double d = far ? (a + b) * random.uniform(1.001, 50) : folded * random.uniform(0.001, 0.999);
        const TwoBoneGoal goal{.target = limb.root + d * random_direction(random), .pole = random_direction(random)};
        const TwoBoneSolution solution = solve_two_bone(limb, goal);
        check_sound(limb, goal, solution);
        CHECK(solution.error == doctest::Approx(far ? d - (a + b) : folded - d).epsilon(1e-9));
        CHECK(solution.reached == (solution.error <= 1e-6 * (a + b)));
        CHECK(mid_angle(solution.limb) == doctest::Approx(far ? pi : 0).epsilon(1e-5).scale(1));
    }
}

TEST_CASE("two-bone: straightest and tightest limit the distance, and say so in the error") {
    const TwoBoneOptions options{.straightest = 0.9, .tightest = 0.2};
    const TwoBoneSolution far = solve_two_bone(hanging_leg, {.target = {0, -3, 0}, .pole = forwards}, options);
    CHECK((far.limb.tip - Vec3d(0, 0.1, 0)).norm() < 1e-14);
    CHECK(far.limb.mid.z() > 0.2);
    CHECK(far.error == doctest::Approx(3.1));
    const TwoBoneSolution near = solve_two_bone(hanging_leg, {.target = {0, 0.95, 0}, .pole = forwards}, options);
    CHECK((near.limb.tip - Vec3d(0, 0.8, 0)).norm() < 1e-14);
    CHECK(near.error == doctest::Approx(0.15));
    CHECK(!near.reached);
}

TEST_CASE("two-bone: soft reach follows exactly, then lags smoothly and never arrives") {
    const TwoBoneOptions options{.softness = 0.1};
    const auto distance = [&](double wanted) {
        const TwoBoneGoal goal{.target = {0, 1 - wanted, 0}, .pole = forwards};
        const TwoBoneSolution solution = solve_two_bone(hanging_leg, goal, options);
        check_sound(hanging_leg, goal, solution);
        return 1 - solution.limb.tip.y();
    };
    for (double wanted = 0.1; wanted <= 0.9; wanted += 0.05) CHECK(distance(wanted) == doctest::Approx(wanted));
    // 1 − 0.1 e^(−(d − 0.9) / 0.1), which leaves the exact part with slope 1.
    for (const double wanted : {0.92, 1.0, 1.1, 1.5})
        CHECK(distance(wanted) == doctest::Approx(1 - 0.1 * std::exp(-(wanted - 0.9) / 0.1)).epsilon(1e-12));
    CHECK((distance(0.9 + 1e-6) - distance(0.9)) == doctest::Approx(1e-6).epsilon(1e-4));
    for (double wanted = 0.5; wanted < 3; wanted += 0.01) {
        CHECK(distance(wanted + 0.01) >= distance(wanted));
        CHECK(distance(wanted) <= 1.0);
    }
}

TEST_CASE("two-bone: without a pole the limb keeps the way it bends") {
    const TwoBoneLimb bent{{0, 1, 0}, {0, 0.5, 0.1}, {0, 0, 0}};
    const Vec3d target(0, 0.2, 0);
    // A zero pole, one that points along the limb, and one against it.
    for (const Vec3d& pole : {Vec3d(0, 0, 0), Vec3d(0, 3, 0), Vec3d(0, -1, 1e-12)}) {
        const TwoBoneSolution solution = solve_two_bone(bent, {.target = target, .pole = pole});
        check_sound(bent, {target, pole}, solution);
        CHECK(solution.reached);
        CHECK(std::abs(solution.limb.mid.x()) < 1e-12);
        CHECK(solution.limb.mid.z() > 0.1);
    }
    // The leg swings out to the side: its plane comes along.
    const TwoBoneSolution aside = solve_two_bone(bent, {.target = {0.6, 1, 0}});
    CHECK(aside.limb.mid.z() > 0.1);
    CHECK(std::abs(aside.limb.mid.y() - 1) < 1e-12);
    // A straight limb has no way of bending: any will do, but it reaches.
    const TwoBoneSolution straight = solve_two_bone(hanging_leg, {.target = target, .pole = Vec3d::UnitY()});
    check_sound(hanging_leg, {target, Vec3d::UnitY()}, straight);
    CHECK(straight.reached);
}

TEST_CASE("two-bone: a pole almost along the limb still bends it in its own plane, and keeps the lengths") {
    Random random(7);
    for (int i = 0; i < 500; ++i) {
        const TwoBoneLimb limb = random_limb(random);
        const Vec3d along = random_direction(random), side = along.cross(random_direction(random)).normalized();
        const double d = 0.5 * (std::abs(upper_length(limb) - lower_length(limb)) + length(limb));
        const TwoBoneGoal goal{.target = limb.root + d * along, .pole = along + 1e-8 * side};
        const TwoBoneSolution solution = solve_two_bone(limb, goal);
        check_sound(limb, goal, solution);
        CHECK(solution.reached);
        CHECK((solution.hinge - side.cross(along)).norm() < 1e-6);
    }
}

TEST_CASE("two-bone: a target at the root is approached along the limb's present direction") {
    Random random(8);
    for (int i = 0; i < 200; ++i) {
        const TwoBoneLimb limb = random_limb(random);
        const TwoBoneGoal goal{.target = limb.root, .pole = random_direction(random)};
        const TwoBoneSolution solution = solve_two_bone(limb, goal);
        check_sound(limb, goal, solution);
        const double folded = std::abs(upper_length(limb) - lower_length(limb));
        CHECK((solution.limb.tip - limb.root - folded * (limb.tip - limb.root).normalized()).norm() < 1e-12);
    }
    // Folded onto itself already, it keeps to its upper bone.
    const TwoBoneLimb folded{{0, 0, 0}, {0, 2, 0}, {0, 0, 0}};
    CHECK((solve_two_bone(folded, {.target = folded.root}, {.tightest = 0.1}).limb.tip - Vec3d(0, 0.4, 0)).norm() <
          1e-12);
}

TEST_CASE("two-bone: every degenerate limb, target and pole in every combination") {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const Vec3d o(1, 2, 3), x = Vec3d::UnitX(), y = Vec3d::UnitY();
    const std::array limbs = {TwoBoneLimb{o, o + x, o + x + y},
                              TwoBoneLimb{o, o + x, o + 2 * x},
                              TwoBoneLimb{o, o + x, o},      // folded
                              TwoBoneLimb{o, o, o + x},      // no upper bone
                              TwoBoneLimb{o, o + x, o + x},  // no lower bone
                              TwoBoneLimb{o, o, o},          // neither
                              TwoBoneLimb{o, o + x, o + x + 1e-9 * y},
                              TwoBoneLimb{o, o + 1e-9 * x, o + y},
                              TwoBoneLimb{o, o + x, o + 1e-14 * y}};
    const std::array targets = {o,
                                Vec3d(o + x),
                                Vec3d(o - x),
                                Vec3d(o + 2 * x),
                                Vec3d(o - 5 * y),
                                Vec3d(o + 1e-9 * y),
                                Vec3d(o + 1e-13 * y),
                                Vec3d(o + 1e8 * x)};
    const std::array poles = {
        Vec3d(0, 0, 0),  x, Vec3d(-x), y, Vec3d(1e-200 * y), Vec3d(1e200 * y), Vec3d(x + 1e-10 * y), Vec3d(nan, 0, 0),
        Vec3d(0, inf, 0)};
    const std::array options = {TwoBoneOptions{}, TwoBoneOptions{.straightest = 0.9995, .tightest = 0.001},
                                TwoBoneOptions{.bend = TwoBoneBend::away_from_pole, .softness = 0.2}};
    for (size_t l = 0; l < limbs.size(); ++l)
        for (size_t t = 0; t < targets.size(); ++t)
            for (size_t p = 0; p < poles.size(); ++p)
                for (const TwoBoneOptions& option : options) {
                    CAPTURE(l);
                    CAPTURE(t);
                    CAPTURE(p);
                    const TwoBoneGoal goal{targets[t], poles[p]};
                    const TwoBoneSolution solution = solve_two_bone(limbs[l], goal, option);
                    check_sound(limbs[l], goal, solution);  // a NaN fails every comparison
                }
    for (const TwoBoneLimb& limb : limbs)
        for (const Vec3d& target : {Vec3d(nan, 0, 0), Vec3d(0, inf, 0), Vec3d(1e200, 0, 0)}) {
            const TwoBoneSolution solution = solve_two_bone(limb, {.target = target, .pole = y});
            CHECK(solution.limb.mid == limb.mid);
            CHECK(solution.limb.tip == limb.tip);
            CHECK(solution.upper_turn.coeffs() == Quatd::Identity().coeffs());
            CHECK(solution.lower_turn.coeffs() == Quatd::Identity().coeffs());
            CHECK(!solution.reached);
            CHECK(solution.error == inf);
        }
}

TEST_CASE("two-bone: many at once are what each is alone") {
    Random random(9);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const TwoBoneOptions& options :
         {TwoBoneOptions{}, TwoBoneOptions{.bend = TwoBoneBend::away_from_pole, .straightest = 0.99, .tightest = 0.01},
          TwoBoneOptions{.softness = 0.1}, TwoBoneOptions{.twist = 0.7}}) {
        for (const size_t count : {size_t{0}, size_t{1}, size_t{15}, size_t{16}, size_t{17}, size_t{1003}}) {
            std::vector<TwoBoneLimb> limbs;
            std::vector<TwoBoneGoal> goals;
            for (size_t i = 0; i < count; ++i) {
                TwoBoneLimb limb = random_limb(random);
                TwoBoneGoal goal{.target = limb.root + random_point(random, 1.5), .pole = random_direction(random)};
                // What the plain formulas cannot do: each must be found out and done alone.
                if (i % 11 == 3) goal.pole = goal.target - limb.root;
                if (i % 11 == 4) goal.target = limb.root;
                if (i % 11 == 5) limb.mid = limb.root;
                if (i % 11 == 6) goal.target = Vec3d(nan, 0, 0);
                if (i % 11 == 7) goal.pole = Vec3d(0, nan, 0);
                if (i % 11 == 8) goal.target = limb.root - 5.0 * (limb.mid - limb.root);
                if (i % 11 == 9) goal.pole = Vec3d::Zero();
                limbs.push_back(limb), goals.push_back(goal);
            }
            std::vector<TwoBoneSolution> all(count);
            solve_two_bones(limbs, goals, options, all);
            for (size_t i = 0; i < count; ++i) {
                CAPTURE(i);
                const TwoBoneSolution one = solve_two_bone(limbs[i], goals[i], options);
                CHECK((all[i].limb.mid - one.limb.mid).norm() < 1e-9);
                CHECK((all[i].limb.tip - one.limb.tip).norm() < 1e-9);
                CHECK((all[i].hinge - one.hinge).norm() < 1e-9);
                CHECK((all[i].upper_turn.coeffs() - one.upper_turn.coeffs()).norm() < 1e-9);
                CHECK((all[i].lower_turn.coeffs() - one.lower_turn.coeffs()).norm() < 1e-9);
                CHECK(all[i].reached == one.reached);
                CHECK((all[i].error == one.error || std::abs(all[i].error - one.error) < 1e-9));
            }
        }
    }
}

TEST_CASE("two-bone: twist turns the limb's plane about the line to the target") {
    Random random(10);
    for (int i = 0; i < 200; ++i) {
        const TwoBoneLimb limb = random_limb(random);
        const double d = 0.5 * (std::abs(upper_length(limb) - lower_length(limb)) + length(limb));
        const TwoBoneGoal goal{.target = limb.root + d * random_direction(random), .pole = random_direction(random)};
        const double angle = random.uniform(-3, 3);
        const TwoBoneSolution plain = solve_two_bone(limb, goal),
                              twisted = solve_two_bone(limb, goal, {.twist = angle});
        check_sound(limb, goal, twisted);
        const Eigen::AngleAxisd turn(angle, (goal.target - limb.root).normalized());
        CHECK((twisted.limb.mid - limb.root - turn * (plain.limb.mid - limb.root)).norm() < 1e-12);
        CHECK((twisted.hinge - turn * plain.hinge).norm() < 1e-12);
    }
}
