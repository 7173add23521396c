// Walkers: the linear program against a search, ways round obstacles, and the three scenes that crowds are judged by.
#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/flock/agents/avoid.h>
#include <sinew/flock/agents/walkers.h>
#include <sinew/flock/agents/way_field.h>
#include <algorithm>
#include <cmath>
#include <map>

using namespace sinew;

namespace {

constexpr float tick = 1.0f / 30.0f;

GroundObstacle wall(float x0, float z0, float x1, float z1, float radius = 0.1f) {
    return {{Vec2(x0, z0), Vec2(x1, z1)}, radius};
}

struct Outcome {
    float longest_overlap = 0.0f;  // seconds in a row that two bodies were in each other
    float deepest = 0.0f;          // metres
    float worst_wall = 0.0f;       // metres that one was in an obstacle
    size_t arrived = 0;
};

// A millimetre is what rounding and one round of pushing leave.
constexpr float allowed = 1e-3f;

Outcome run(Walkers& walkers, const WalkScene& scene, float seconds) {
    Outcome outcome;
    std::map<std::pair<size_t, size_t>, float> since;
    for (float t = 0; t < seconds; t += tick) {
        walkers.step(tick);
        const auto all = walkers.walkers();
        std::map<std::pair<size_t, size_t>, float> now;
        for (size_t i = 0; i < all.size(); ++i) {
            REQUIRE(all[i].position.allFinite());
            for (const GroundObstacle& o : scene.obstacles)
                outcome.worst_wall =
                    std::max(outcome.worst_wall, all[i].radius - distance_to(o, all[i].position).distance);
            for (size_t j = 0; j < i; ++j) {
                const float depth = all[i].radius + all[j].radius - (all[i].position - all[j].position).norm();
                if (depth <= allowed) continue;
                outcome.deepest = std::max(outcome.deepest, depth);
                const float length = (since.contains({i, j}) ? since[{i, j}] : 0.0f) + tick;
                now[{i, j}] = length;
                outcome.longest_overlap = std::max(outcome.longest_overlap, length);
            }
        }
        since = std::move(now);
    }
    for (const Walker& walker : walkers.walkers())
        outcome.arrived +=
            (walker.position - scene.goals[walker.goal].place).norm() < scene.goals[walker.goal].radius + 2.5f;
    return outcome;
}

// Two streams that meet between two walls.
Outcome corridor(std::vector<Walker>* end = nullptr) {
    WalkScene scene{.goals = {{Vec2(14, 0)}, {Vec2(-14, 0)}},
                    .obstacles = {wall(-16, 2.5f, 16, 2.5f), wall(-16, -2.5f, 16, -2.5f)}};
    Random random(3);
    std::vector<Walker> all;
    for (int i = 0; i < 24; ++i) {
        const bool left = i % 2 == 0;
        const float along = 3.0f + 1.2f * static_cast<float>(i / 2 / 3),
                    across = -1.5f + 1.5f * static_cast<float>(i / 2 % 3);
        all.push_back({.position = Vec2(left ? -along : along, across + static_cast<float>(random.uniform(-0.2, 0.2))),
                       .speed = static_cast<float>(random.uniform(1.1, 1.5)),
                       .goal = left ? 0u : 1u});
    }
    Walkers walkers(all, scene);
    const Outcome outcome = run(walkers, scene, 20.0f);
    if (end) end->assign(walkers.walkers().begin(), walkers.walkers().end());
    return outcome;
}

}  // namespace

TEST_CASE("avoid: the program finds what a search over all velocities finds") {
    Random random(5);
    const auto one = [&](double extent) { return static_cast<float>(random.uniform(-extent, extent)); };
    int feasible = 0, infeasible = 0;
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<HalfPlane> planes(1 + random.below(6)), scratch(8);
        for (HalfPlane& plane : planes) {
            const float angle = one(3.14159);
            plane = {Vec2(one(1.2), one(1.2)), Vec2(std::cos(angle), std::sin(angle))};
        }
        const Vec2 wanted(one(1.5), one(1.5));
        const Vec2 found = choose_velocity(planes, 0, wanted, 1.5f, scratch);
        REQUIRE(found.norm() <= 1.5f + 1e-4f);
        const auto broken = [&](const Vec2& v) {
            float worst = 0;
            for (const HalfPlane& plane : planes) worst = std::max(worst, plane.normal.dot(plane.point - v));
            return worst;
        };
        // The search: a fine grid of velocities.
        float least_broken = INFINITY, nearest = INFINITY;
        for (float x = -1.5f; x <= 1.5f; x += 0.02f)
            for (float y = -1.5f; y <= 1.5f; y += 0.02f) {
                const Vec2 v(x, y);
                if (v.norm() > 1.5f) continue;
                least_broken = std::min(least_broken, broken(v));
                if (broken(v) <= 0.0f) nearest = std::min(nearest, (v - wanted).norm());
            }
        if (std::isfinite(nearest)) {
            ++feasible;
            REQUIRE(broken(found) < 1e-3f);
            REQUIRE((found - wanted).norm() < nearest + 1e-3f);
        } else if (least_broken > 0.03f) {
            ++infeasible;
            REQUIRE(broken(found) < least_broken + 1e-3f);
        }
    }
    CHECK(feasible > 50);
    CHECK(infeasible > 50);
}

TEST_CASE("avoid: two that both choose so do not meet within the time") {
    Random random(6);
    const auto one = [&](double extent) { return static_cast<float>(random.uniform(-extent, extent)); };
    std::vector<HalfPlane> scratch(2);
    for (int trial = 0; trial < 500; ++trial) {
        MovingDisc a{Vec2(one(3), one(3)), Vec2(one(1.5), one(1.5)), 0.3f},
            b{Vec2(one(3), one(3)), Vec2(one(1.5), one(1.5)), 0.4f};
        if ((a.position - b.position).norm() < 0.75f) continue;
        const HalfPlane for_a = avoid_each_other(a, b, 2.0f, tick), for_b = avoid_each_other(b, a, 2.0f, tick);
        const Vec2 va = choose_velocity({&for_a, 1}, 0, a.velocity, 10.0f, scratch);
        const Vec2 vb = choose_velocity({&for_b, 1}, 0, b.velocity, 10.0f, scratch);
        for (float t = 0; t <= 2.0f; t += 0.02f)
            REQUIRE((a.position + t * va - b.position - t * vb).norm() > 0.7f - 2e-3f);
    }
}

TEST_CASE("ways: round a wall, through a door, and none into a closed room") {
    const std::vector<GroundObstacle> walls = {wall(0, -6, 0, 4)};
    const WayField way(walls, Vec2(5, 0), 0.3f, Vec2(-10, -10), Vec2(10, 10));
    Vec2 place(-5, 0);
    float gone = 0;
    for (; gone < 40.0f && (place - Vec2(5, 0)).norm() > 0.2f; gone += 0.05f) {
        place += 0.05f * way.towards_goal(place);
        REQUIRE(distance_to(walls[0], place).distance > 0.1f);
    }
    // The shortest way bends about the wall's upper end, 0.4 m away from its middle line.
    const float shortest = 2.0f * std::hypot(5.0f, 4.4f);
    CHECK(gone < 1.1f * shortest);
    CHECK(way.reaches(Vec2(-5, 0)));
    const std::vector<GroundObstacle> room = {wall(-1, -1, 1, -1), wall(1, -1, 1, 1), wall(1, 1, -1, 1),
                                              wall(-1, 1, -1, -1)};
    const WayField closed(room, Vec2(5, 0), 0.3f, Vec2(-10, -10), Vec2(10, 10));
    CHECK(!closed.reaches(Vec2(0, 0)));
    CHECK(closed.reaches(Vec2(-5, 0)));
}

TEST_CASE("walkers: two streams in a corridor") {
    const Outcome outcome = corridor();
    CHECK(outcome.longest_overlap <= 0.2f);
    CHECK(outcome.worst_wall <= allowed);
    CHECK(outcome.arrived == 24);
}

TEST_CASE("walkers: all on a circle change places with those opposite") {
    const size_t count = 40;
    WalkScene scene;
    std::vector<Walker> all;
    for (size_t i = 0; i < count; ++i) {
        const float angle = 2.0f * pi * static_cast<float>(i) / static_cast<float>(count);
        const Vec2 place = 8.0f * Vec2(std::cos(angle), std::sin(angle));
        scene.goals.push_back({-place});
        all.push_back({.position = place, .goal = static_cast<uint32_t>(i)});
    }
    Walkers walkers(all, scene);
    const Outcome outcome = run(walkers, scene, 35.0f);
    CHECK(outcome.longest_overlap <= 0.2f);
    CHECK(outcome.arrived == count);
}

TEST_CASE("walkers: through a door of 1.2 m") {
    WalkScene scene{.goals = {{Vec2(6, 0), 1.0f, 1}, {Vec2(14, 0), 3.0f}},
                    .obstacles = {wall(0, 0.7f, 0, 8), wall(0, -0.7f, 0, -8)}};
    std::vector<Walker> all;
    for (int i = 0; i < 40; ++i)
        all.push_back({.position = Vec2(-2.0f - static_cast<float>(i / 8), -3.5f + static_cast<float>(i % 8)),
                       .speed = 1.2f + 0.01f * static_cast<float>(i % 7)});
    Walkers walkers(all, scene);
    const Outcome outcome = run(walkers, scene, 60.0f);
    CHECK(outcome.longest_overlap <= 0.2f);
    CHECK(outcome.worst_wall <= allowed);
    size_t through = 0;
    for (const Walker& walker : walkers.walkers()) through += walker.position.x() > 0.0f;
    CHECK(through >= 38);
}

TEST_CASE("walkers: without avoiding, the same corridor has people in each other") {
    WalkScene scene{.goals = {{Vec2(14, 0)}, {Vec2(-14, 0)}}};
    std::vector<Walker> all = {{.position = Vec2(-5, 0.05f), .goal = 0}, {.position = Vec2(5, 0), .goal = 1}};
    const auto nearest = [&](float sight) {
        Walkers walkers(all, scene, {.sight = sight});
        float best = INFINITY;
        for (int i = 0; i < 300; ++i) {
            walkers.step(tick);
            best = std::min(best, (walkers.walkers()[0].position - walkers.walkers()[1].position).norm());
        }
        return best;
    };
    CHECK(nearest(0.01f) < 0.3f);
    CHECK(nearest(4.0f) > 0.5f);
}

TEST_CASE("walkers: headings turn smoothly, the same bytes for 1, 2 and 8 threads") {
    std::vector<std::vector<Walker>> ends(3);
    int k = 0;
    for (const int threads : {1, 2, 8}) {
        set_thread_count(threads);
        corridor(&ends[static_cast<size_t>(k++)]);
    }
    set_thread_count(0);
    for (size_t i = 0; i < ends[0].size(); ++i)
        for (const auto& end : ends) {
            REQUIRE(end[i].position == ends[0][i].position);
            REQUIRE(end[i].heading == ends[0][i].heading);
        }
    // A right angle: no jump of the heading, and it ends where the walker goes.
    WalkScene scene{.goals = {{Vec2(0, 5), 0.5f, 1}, {Vec2(9, 5)}}};
    Walkers one({{.position = Vec2(0, 0)}}, scene);
    float before = 0.0f, sharpest = 0.0f;
    for (int i = 0; i < 200; ++i) {
        one.step(tick);
        sharpest = std::max(sharpest, std::abs(one.walkers()[0].heading - before));
        before = one.walkers()[0].heading;
    }
    CHECK(sharpest <= WalkRules{}.turn_rate * tick * 1.01f);
    CHECK(before == doctest::Approx(pi / 2).epsilon(0.1));
}
