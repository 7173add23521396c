// Gaits: feet that stay where they step, at any speed and in turns, on people and beasts.
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/flock/agents/walkers.h>
#include <sinew/flock/gait/gait.h>
#include <sinew/motion/builtin.h>
#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

constexpr float gait_tick = 1.0f / 60.0f;

// The body that Sinew's own motions are made on.
struct Person {
    Skeleton skeleton;
    std::vector<Clip> clips;  // walk, idle, run
};

const Person& person() {
    static const Person one = [] {
        Person made;
        for (const char* name : {"walk", "idle", "run"}) {
            auto motion = builtin_motion(name);
            REQUIRE(motion);
            made.skeleton = std::move(motion->skeleton);
            made.clips.push_back(std::move(motion->clip));
        }
        return made;
    }();
    return one;
}

GroundGait gait_of(const Person& hero) {
    auto gait = GroundGait::create(hero.skeleton, hero.clips[0], &hero.clips[1], &hero.clips[2]);
    REQUIRE(gait);
    return std::move(*gait);
}

struct Steps {
    size_t count = 0;
    float worst = 0.0f, sum = 0.0f;  // metres that a foot moved over the ground in one contact
};

// Where the balls of the feet really are, by forward kinematics.
Steps walk_along(const Person& hero, const GroundGait& gait, std::span<const Walker> way, bool hold = true) {
    Steps steps;
    GroundGait::Scratch scratch;
    Pose pose;
    std::vector<AffineD> world(hero.skeleton.size());
    GaitState state = gait.begin(way[0].position, way[0].heading, 0.3f);
    std::vector<Vec3d> held(gait.legs().size());
    std::vector<float> moved(gait.legs().size(), -1.0f);
    for (size_t i = 1; i < way.size(); ++i) {
        gait.advance(state, way[i].position, way[i].heading, gait_tick);
        if (!hold) state.feet = {};
        const Affine root = gait.pose(state, gait_tick, pose, scratch);
        local_to_world(hero.skeleton.parents(), pose.local, world);
        for (size_t l = 0; l < gait.legs().size(); ++l) {
            Vec3d ball = root.cast<double>() * world[static_cast<size_t>(gait.legs()[l].ball)].translation();
            REQUIRE(ball.allFinite());
            ball.y() = 0;
            if (!(hold ? state.feet[l].down && !state.feet[l].on_heel : gait.is_down(state, l))) {
                if (moved[l] >= 0.0f) {
                    ++steps.count;
                    steps.sum += moved[l], steps.worst = std::max(steps.worst, moved[l]);
                }
                moved[l] = -1.0f;
                continue;
            }
            if (moved[l] < 0.0f) held[l] = ball, moved[l] = 0.0f;
            moved[l] = std::max(moved[l], static_cast<float>((ball - held[l]).norm()));
        }
    }
    return steps;
}

// Straight ahead; the speed changes as `speed` says.
template <class Speed>
std::vector<Walker> straight(float seconds, const Speed& speed) {
    std::vector<Walker> way(1);
    for (float t = 0; t < seconds; t += gait_tick) {
        Walker next = way.back();
        next.position.y() += speed(t) * gait_tick;
        way.push_back(next);
    }
    return way;
}

}  // namespace

TEST_CASE("gait: the walk's speed and its feet are read from the clip") {
    const GroundGait gait = gait_of(person());
    CHECK(gait.legs().size() == 2);
    CHECK(gait.cycles().size() == 3);
    CHECK(gait.walk_speed() > 0.8f);
    CHECK(gait.walk_speed() < 1.8f);
    CHECK(gait.top_speed() > 1.5f * gait.walk_speed());
    const GaitCycle& walk = gait.cycles()[1];
    for (const FootContact& contact : walk.contacts)
        CHECK(contact.lift - contact.touch == doctest::Approx(0.5).epsilon(0.4));
    // The other foot comes half a cycle later.
    CHECK(walk.contacts[1].touch - walk.contacts[0].touch == doctest::Approx(0.5).epsilon(0.1));
}

TEST_CASE("gait: feet drift under a centimetre per step, at any speed") {
    const GroundGait gait = gait_of(person());
    for (const float share : {0.3f, 0.6f, 1.0f, 1.2f, 1.6f, 2.0f}) {
        const float speed = share * gait.walk_speed();
        const Steps steps =
            walk_along(person(), gait, straight(10.0f, [&](float t) { return speed * std::min(1.0f, 2.0f * t); }));
        CAPTURE(share);
        CHECK(steps.count > 8);
        CHECK(steps.worst < 0.01f);
    }
    // From standing to a run and back.
    const Steps changing = walk_along(person(), gait, straight(12.0f, [&](float t) {
                                          return gait.top_speed() * 0.5f * (1.0f - std::cos(2.0f * pi * t / 12.0f));
                                      }));
    CHECK(changing.worst < 0.01f);
}

TEST_CASE("gait: a body that goes twice as fast takes as many strides per metre") {
    const GroundGait gait = gait_of(person());
    GaitState slow = gait.begin(Vec2::Zero(), 0.0f, 0.0f), quick = slow;
    float slow_cycles = 0, quick_cycles = 0;
    const auto go = [&](GaitState& state, float speed, float& cycles) {
        const float before = state.phase;
        gait.advance(state, state.place + Vec2(0, speed * gait_tick), 0.0f, gait_tick);
        cycles += state.phase < before ? state.phase + phase_end - before : state.phase - before;
    };
    const float natural = gait.walk_speed();
    for (int i = 0; i < 600; ++i) go(slow, 0.6f * natural, slow_cycles), go(quick, 1.2f * natural, quick_cycles);
    CHECK(quick_cycles / slow_cycles == doctest::Approx(2.0).epsilon(0.05));
    CHECK(quick_cycles == doctest::Approx(10.0f * 1.2f * natural / gait.cycles()[1].stride()).epsilon(0.05));
}

TEST_CASE(
    "gait: in a crowd that turns and makes way, feet drift under a centimetre per step; not without holding them") {
    const GroundGait gait = gait_of(person());
    WalkScene scene;
    std::vector<Walker> all;
    const size_t count = 24;
    for (size_t i = 0; i < count; ++i) {
        const float angle = 2.0f * pi * static_cast<float>(i) / static_cast<float>(count);
        const Vec2 place = 5.0f * Vec2(std::sin(angle), std::cos(angle));
        scene.goals.push_back({-place});
        all.push_back(
            {.position = place, .heading = angle + pi, .speed = gait.walk_speed(), .goal = static_cast<uint32_t>(i)});
    }
    Walkers walkers(all, scene);
    std::vector<std::vector<Walker>> ways(count);
    for (int i = 0; i < 720; ++i) {
        for (size_t w = 0; w < count; ++w) ways[w].push_back(walkers.walkers()[w]);
        walkers.step(gait_tick);
    }
    Steps all_steps, free_steps;
    for (const auto& way : ways) {
        const Steps steps = walk_along(person(), gait, way), loose = walk_along(person(), gait, way, false);
        all_steps.count += steps.count, all_steps.sum += steps.sum,
            all_steps.worst = std::max(all_steps.worst, steps.worst);
        free_steps.worst = std::max(free_steps.worst, loose.worst);
    }
    MESSAGE("steps ", all_steps.count, ", mean ", all_steps.sum / static_cast<float>(all_steps.count), ", worst ",
            all_steps.worst, "; feet not held, worst ", free_steps.worst);
    CHECK(all_steps.count > 200);
    CHECK(all_steps.worst < 0.01f);
    CHECK(free_steps.worst > 0.03f);
}

TEST_CASE("gait: the pose at the walk's own speed is the walk's") {
    const GroundGait gait = gait_of(person());
    GaitState state = gait.begin(Vec2::Zero(), 0.0f, 0.1f);
    for (int i = 0; i < 300; ++i)
        gait.advance(state, state.place + Vec2(0, gait.walk_speed() * gait_tick), 0.0f, gait_tick);
    const auto layers = gait.layers(state);
    CHECK(layers[1].weight == doctest::Approx(1.0));
    CHECK(layers[0].weight + layers[2].weight == doctest::Approx(0.0));
}

TEST_CASE("gait: a motion that goes nowhere is told") {
    const Person& hero = person();
    Clip still{.name = "still"};
    const auto gait = GroundGait::create(hero.skeleton, still, nullptr, nullptr);
    REQUIRE(!gait);
    CHECK(gait.error().message.find("goes nowhere") != std::string::npos);
    CHECK(GroundGait::create(hero.skeleton, hero.clips[0], nullptr, nullptr));
}
