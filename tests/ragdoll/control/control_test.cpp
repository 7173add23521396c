// What moves a ragdoll from inside: following a clip, walking, getting up; and the evolution that looks for walks.
#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget.h>
#include <sinew/ragdoll/control/evolve.h>
#include <sinew/ragdoll/control/get_up.h>
#include <sinew/ragdoll/control/learn_balance.h>
#include <sinew/ragdoll/control/tracking.h>
#include <sinew/ragdoll/control/walk_trial.h>
#include <sinew/sample/sample.h>
#include <cmath>
#include <numbers>

#include <ragdoll/drop.h>
#include <support/data_case.h>

using namespace sinew;

namespace {

Clip builtin_on(const Skeleton& skeleton, const char* name) {
    const auto motion = builtin_motion(name);
    REQUIRE(motion.has_value());
    auto moved = retarget(motion->skeleton, motion->clip, skeleton);
    REQUIRE(moved.has_value());
    return moved->clip;
}

// How a body stands at the beginning of its idle; an animal as it does at rest.
Pose idle_pose(const Character& character, bool person) {
    Pose stands{character.skeleton.rest(), {}};
    if (person) sinew::sample(builtin_on(character.skeleton, "idle"), 0.0f, stands);
    return stands;
}
// The sine of how far the trunk leans.
double trunk_up(const RagdollBody& body, const Pose& pose) {
    const auto chest = static_cast<size_t>(std::max(body.find(PartKind::chest), 0));
    const Quatd rest = parts_of_pose(body, {body.skeleton.rest(), {}})[chest].rotation;
    return (parts_of_pose(body, pose)[chest].rotation * (rest.conjugate() * body.up)).dot(body.up);
}

// From lying to standing without a pop, above the floor. No joint is faster than 3.5 m/s, of a body of 1.75 m, and
// from the middle on the trunk is not upside down.
void check_gets_up(const Character& sample, uint64_t seeds) {
    constexpr double fps = 60.0, floor = -0.03;  // metres of any part
    const auto body = fit_ragdoll(sample);
    const double fastest = std::min(6.0, 3.5 * std::sqrt(body->height / usual_height));
    const Pose stands = idle_pose(sample, body->person);
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        Pose lies{sample.skeleton.rest(), {}};
        pose_of_parts(*body, test::drop(*body, seed).parts, lies);
        const GetUp up(*body, lies, stands);
        Pose last;
        up.pose_at(0.0, last);
        CHECK(test::furthest_joint(sample.skeleton, last, lies) < 1e-3);
        for (int f = 1; f <= static_cast<int>(up.seconds() * fps) + 1; ++f) {
            Pose now;
            up.pose_at(f / fps, now);
            CHECK(test::furthest_joint(sample.skeleton, now, last) < fastest / fps);
            if (f / fps > 0.5 * up.seconds()) CHECK(trunk_up(*body, now) > 0.0);
            for (const PartState& p : parts_of_pose(*body, now)) CHECK(p.position.y() > floor);
            last = now;
        }
        // Where it ends is where the clip goes on.
        Pose goes_on = stands;
        auto parts = parts_of_pose(*body, stands);
        for (PartState& p : parts) p.position = up.turn() * p.position + up.move(), p.rotation = up.turn() * p.rotation;
        pose_of_parts(*body, parts, goes_on);
        CHECK(test::furthest_joint(sample.skeleton, last, goes_on) < 5e-3);
    }
}

}  // namespace

TEST_CASE("PoseTracker: a ragdoll follows a walk within 15 degrees per joint, its root guided") {
    constexpr double most_deg = 15.0, step = 1e-3, settled = 0.5;
    const Character sample = make_rigged_humanoid();
    const auto body = fit_ragdoll(sample);
    const Clip walk = builtin_on(sample.skeleton, "walk");
    RagdollWorld world({.step = step});
    world.add_plane(Vec3d::Zero(), Vec3d::UnitY());
    const PoseTracker tracker(*body);
    const auto target_at = [&](double time) {
        Pose before{sample.skeleton.rest(), {}}, now = before;
        sinew::sample(walk, static_cast<float>(std::max(0.0, time - 0.01)), before);
        sinew::sample(walk, static_cast<float>(time), now);
        return parts_of_pose(*body, before, now, 0.01);
    };
    const size_t me = world.add(*body, target_at(0.01), {.damping = 0.0});
    double worst = 0.0;
    while (world.time() < duration(walk) - 0.05) {
        const auto target = target_at(world.time() + step);
        tracker.apply(world, me, target);
        world.step();
        if (world.time() > settled)
            worst = std::max(worst, 57.29578 * worst_tracking_error(*body, world.parts(me), target));
    }
    MESSAGE("worst joint " << worst << " degrees");
    CHECK(worst < most_deg);
    CHECK(worst > 0.0);
}

TEST_CASE("BalancedWalker: a body walks by itself, to the same bits each time, and falls without balance") {
    const auto body = fit_ragdoll(make_rigged_humanoid(), walking_parts);
    const auto walk = try_walk(*body, {}, {.seconds = 8.0});
    REQUIRE(walk.has_value());
    CHECK(!walk->fell);
    CHECK(walk->steps >= 12);
    CHECK(walk->distance > 2.0);
    CHECK(walk->worst_yaw < 0.3);
    const auto again = try_walk(*body, {}, {.seconds = 8.0});
    for (size_t i = 0; i < walk->last.size(); ++i) CHECK(walk->last[i].position == again->last[i].position);
    CHECK(try_walk(*body, without_balance({}), {.seconds = 8.0})->fell);
}

TEST_CASE("BalancedWalker: pushes of 200 and 300 N from all sides and slopes of 5 degrees do not make most fall") {
    const auto body = fit_ragdoll(make_rigged_humanoid(), walking_parts);
    const auto still_up = [&](const WalkStyle& style, double newtons) {
        int up = 0;
        for (int i = 0; i < 8; ++i) {
            const double angle = i * std::numbers::pi / 4.0;
            const Vec3d force = newtons * (std::sin(angle) * body->left + std::cos(angle) * body->ahead);
            up += !try_walk(*body, style, {.seconds = 5.0, .pushes = {{3.0, 0.2, force}}})->fell;
        }
        return up;
    };
    CHECK(still_up({}, 200.0) >= 7);
    CHECK(still_up({}, 300.0) >= 7);
    // What the standing foot does is part of it: without, it staggers along with short steps.
    WalkStyle stiff;
    stiff.press_ahead = stiff.press_aside = 0.0;
    const auto walks = try_walk(*body, {}, {.seconds = 20.0}), staggers = try_walk(*body, stiff, {.seconds = 20.0});
    CHECK(walks->worst_yaw < 0.3);
    CHECK(walks->distance / walks->steps > 0.45);
    CHECK(staggers->distance / staggers->steps < 0.4);
    for (const double slope_deg : {-5.0, 5.0})
        CHECK(!try_walk(*body, {}, {.seconds = 8.0, .slope = slope_deg * std::numbers::pi / 180.0})->fell);
}

TEST_CASE("BalancedWalker: a light body thrown aside stands on whichever foot touches down") {
    const auto body = fit_ragdoll(*make_sample("humanoid-thin"), walking_parts);
    CHECK(body->mass < 50.0);
    int up = 0;
    for (int i = 0; i < 16; ++i) {
        const double angle = i / 2 * std::numbers::pi / 4.0, at = 3.0 + 0.12 * (i % 2);
        const Vec3d force = 200.0 * (std::sin(angle) * body->left + std::cos(angle) * body->ahead);
        up += !try_walk(*body, {}, {.seconds = 6.0, .pushes = {{at, 0.2, force}}})->fell;
    }
    CHECK(up >= 15);
}

TEST_CASE("learn_balance: a body without balance falls at once, and learns to walk ahead by itself") {
    constexpr int steps = 20;
    const auto body = fit_ragdoll(make_rigged_humanoid(), walking_parts);
    const WalkStyle none = without_balance({});
    const auto before = try_walk(*body, none);
    CHECK(before->fell);
    CHECK(before->steps < 5);
    // It is not told more than the poses: a style without balance gives the same.
    const LearnedBalance learnt = learn_balance(*body, none, {.steps = steps, .most_evaluations = 120, .seed = 5});
    CHECK(learnt.walks);
    CHECK(learnt.evaluations <= 120);
    const auto walk = try_walk(*body, learnt.style, {.seconds = 2.0 * steps, .steps = steps});
    CHECK(!walk->fell);
    CHECK(walk->steps == steps);
    CHECK(walk->distance > 0.2 * steps * 0.99);
    // So few tries are too few, and that is said.
    CHECK(!learn_balance(*body, none, {.steps = steps, .most_evaluations = 13, .seed = 2}).walks);
}

TEST_CASE("BalancedWalker: what is no person does not walk, and says so") {
    const auto horse = fit_ragdoll(make_quadruped(), walking_parts);
    const auto walker = BalancedWalker::create(*horse);
    REQUIRE(!walker.has_value());
    CHECK(walker.error().message.find("cannot walk") != std::string::npos);
}

TEST_CASE("evolve: finds the bottom of a bent valley, the same on any number of threads") {
    const auto valley = [](const std::vector<double>& x) {  // Rosenbrock's
        double sum = 0.0;
        for (size_t i = 0; i + 1 < x.size(); ++i)
            sum += 100.0 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1.0 - x[i], 2);
        return sum;
    };
    const EvolutionOptions options{.population = 10, .most_evaluations = 4000, .spread = 0.5, .good_enough = 1e-8};
    const Evolved found = evolve({0.0, 0.5, 0.0, 0.5}, {1, 1, 1, 1}, valley, options);
    CHECK(found.cost < 1e-8);
    for (const double x : found.best) CHECK(x == doctest::Approx(1.0).epsilon(1e-3));
    for (const double x : found.middle) CHECK(x == doctest::Approx(1.0).epsilon(1e-2));
    const int threads = thread_count();
    set_thread_count(1);
    CHECK(evolve({0.0, 0.5, 0.0, 0.5}, {1, 1, 1, 1}, valley, options).best == found.best);
    set_thread_count(threads);
}

TEST_CASE("GetUp: from lying to standing without a pop, above the floor") {
    check_gets_up(make_rigged_humanoid(), 6);
    check_gets_up(make_quadruped(), 3);
}

DATA_TEST_CASE("GetUp: the same of characters of other hands") {
    for (const char* file : {"m2m_var_human-male", "m2m_var_human-female", "m2m_var_human-zombie", "kaykit_Knight",
                             "m2m_fox-animations", "m2m_horse-animations"}) {
        CAPTURE(std::string(file));
        const auto one = read_character(data / "rigged-gt" / (std::string(file) + ".glb"));
        REQUIRE(one);
        check_gets_up(*one, 4);
    }
}
