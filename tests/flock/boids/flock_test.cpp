// Boids: every rule against the same flock without it; neighbours against the slow way; the same bytes for any threads.
#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/flock/boids/flock.h>
#include <sinew/flock/neighbour_rows.h>
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace sinew;

namespace {

constexpr float frame = 1.0f / 30.0f;

Vec3 anywhere(Random& random, double extent) {
    const auto one = [&] { return static_cast<float>(random.uniform(-extent, extent)); };
    const float x = one(), y = one(), z = one();
    return {x, y, z};
}

std::vector<Boid> scattered(size_t count, double extent, uint64_t seed, float speed = 3.0f) {
    Random random(seed);
    std::vector<Boid> boids(count);
    for (size_t i = 0; i < count; ++i) {
        boids[i].position = anywhere(random, extent);
        boids[i].velocity = speed * anywhere(random, 1.0).normalized();
        boids[i].id = static_cast<uint32_t>(i);
    }
    return boids;
}

// All rules off.
FlockRules no_rules() {
    return {
        .separation = 0, .alignment = 0, .cohesion = 0, .goal = 0, .leader = 0, .fear = 0, .obstacle = 0, .bounds = 0};
}

Flock run(std::vector<Boid> boids, const FlockRules& rules, const FlockScene& scene, float seconds) {
    Flock flock(std::move(boids), rules, scene);
    for (float t = 0; t < seconds; t += frame) flock.step(frame);
    return flock;
}

std::vector<Boid> by_id(const Flock& flock) {
    std::vector<Boid> boids(flock.boids().size());
    flock.sort_by_id(boids);
    return boids;
}

// The mean distance to the nearest other.
float mean_nearest(std::span<const Boid> boids) {
    float sum = 0;
    for (const Boid& a : boids) {
        float best = INFINITY;
        for (const Boid& b : boids)
            if (a.id != b.id) best = std::min(best, (a.position - b.position).norm());
        sum += best;
    }
    return sum / static_cast<float>(boids.size());
}

// 1: all fly the same way; 0: every way.
float order_of(std::span<const Boid> boids) {
    Vec3 sum = Vec3::Zero();
    for (const Boid& boid : boids) sum += boid.velocity.normalized();
    return sum.norm() / static_cast<float>(boids.size());
}

float spread_of(std::span<const Boid> boids) {
    Vec3 mean = Vec3::Zero();
    for (const Boid& boid : boids) mean += boid.position / static_cast<float>(boids.size());
    float sum = 0;
    for (const Boid& boid : boids) sum += (boid.position - mean).norm();
    return sum / static_cast<float>(boids.size());
}

}  // namespace

TEST_CASE("neighbour rows: every near point is in the ranges, every point is visited once, for any extent") {
    for (const double extent : {0.0, 0.5, 3.0, 40.0, 1e5, 1e9}) {
        Random random(11);
        std::vector<Vec3> points(400);
        for (size_t i = 0; i < points.size(); ++i) points[i] = i % 3 ? anywhere(random, extent) : anywhere(random, 2.0);
        const float cell = 1.1f;
        NeighbourRows rows;
        rows.build(points, cell);
        std::vector<int> visited(points.size());
        const auto check = [&](PointRange mine, const NearRanges& near) {
            for (uint32_t k = mine.begin; k < mine.end; ++k) {
                const uint32_t i = rows.order()[k];
                ++visited[i];
                std::vector<int> found(points.size());
                for (const PointRange& range : near)
                    for (uint32_t n = range.begin; n < range.end; ++n) ++found[rows.order()[n]];
                for (uint32_t j = 0; j < points.size(); ++j)
                    if ((points[i] - points[j]).norm() < cell) REQUIRE(found[j] == 1);
                REQUIRE(*std::ranges::max_element(found) == 1);
            }
        };
        // In chunks, as threads do it.
        for (size_t c = 0; c < rows.cell_count(); c += 7)
            rows.visit_cells(c, std::min(c + 7, rows.cell_count()), check);
        CHECK(std::ranges::all_of(visited, [](int n) { return n == 1; }));
    }
}

TEST_CASE("boids: separation keeps them apart") {
    FlockRules rules = no_rules();
    rules.cohesion = 1.0f, rules.alignment = 2.0f, rules.sight = 8.0f, rules.field_of_view = 2.0f * pi;
    const auto crowded = by_id(run(scattered(200, 4.0, 1), rules, {}, 8));
    rules.separation = 4.0f;
    const auto apart = by_id(run(scattered(200, 4.0, 1), rules, {}, 8));
    CHECK(mean_nearest(apart) > 0.5f * rules.distance);
    CHECK(mean_nearest(crowded) < 0.25f * rules.distance);
}

TEST_CASE("boids: alignment makes them fly one way") {
    FlockRules rules = no_rules();
    rules.sight = 8.0f;
    CHECK(order_of(by_id(run(scattered(200, 4.0, 2), rules, {}, 6))) < 0.3f);
    rules.alignment = 2.0f;
    CHECK(order_of(by_id(run(scattered(200, 4.0, 2), rules, {}, 6))) > 0.95f);
}

TEST_CASE("boids: cohesion keeps them together") {
    FlockRules rules = no_rules();
    rules.sight = 8.0f;
    CHECK(spread_of(by_id(run(scattered(200, 4.0, 3), rules, {}, 6))) > 15.0f);
    rules.cohesion = 2.0f;
    CHECK(spread_of(by_id(run(scattered(200, 4.0, 3), rules, {}, 6))) < 7.0f);
}

TEST_CASE("boids: goals are reached one after another") {
    FlockRules rules = no_rules();
    const FlockScene scene{.goals = {Vec3(20, 0, 0), Vec3(20, 0, 20)}};
    const auto reached = [&](const FlockRules& r) {
        Flock flock(scattered(50, 4.0, 4), r, scene);
        std::vector<int> first(50), second(50);
        for (int i = 0; i < 600; ++i) {
            flock.step(frame);
            for (const Boid& boid : flock.boids()) {
                first[boid.id] |= (boid.position - scene.goals[0]).norm() < r.goal_reached + 0.5f;
                second[boid.id] |= first[boid.id] && (boid.position - scene.goals[1]).norm() < r.goal_reached + 0.5f;
            }
        }
        return std::ranges::count(second, 1);
    };
    CHECK(reached(rules) == 0);
    rules.goal = 2.0f;
    CHECK(reached(rules) == 50);
}

TEST_CASE("boids: they fly round obstacles, and are never inside one") {
    FlockRules rules = no_rules();
    rules.goal = 1.0f;
    const FlockScene scene{
        .goals = {Vec3(40, 0, 0)},
        .obstacles = {{Vec3(15, 0, 0), Vec3(15, 0, 0), 3.0f}, {Vec3(25, -9, 2), Vec3(25, 9, 2), 2.0f}}};
    // Contact: nearer to an obstacle than a hand's breadth.
    const auto contacts = [&](const FlockRules& r) {
        Flock flock(scattered(100, 3.0, 5), r, scene);
        int touching = 0;
        for (int i = 0; i < 360; ++i) {
            flock.step(frame);
            for (const Boid& boid : flock.boids())
                for (const FlockObstacle& o : scene.obstacles) {
                    const Vec3 nearest(o.a.x(), std::clamp(boid.position.y(), o.a.y(), o.b.y()), o.a.z());
                    const float distance = (boid.position - nearest).norm();
                    REQUIRE(distance >= o.radius);
                    touching += distance < o.radius + 0.1f;
                }
        }
        return touching;
    };
    const int blind = contacts(rules);
    rules.obstacle = 4.0f;
    const int seeing = contacts(rules);
    CHECK(blind > 500);
    CHECK(seeing < blind / 10);
}

TEST_CASE("boids: followers go where their leader goes") {
    std::vector<Boid> boids = scattered(60, 3.0, 6);
    boids[0].role = BoidRole::leader;
    // The leader flies one way, the others start the other way.
    const auto distance = [&](float leader) {
        FlockRules r = no_rules();
        r.leader = leader;
        std::vector<Boid> start = boids;
        for (Boid& boid : start) boid.velocity = Vec3(0, 0, boid.role == BoidRole::leader ? 2.5f : -2.5f);
        const auto end = by_id(run(start, r, {}, 8));
        float sum = 0;
        for (const Boid& boid : end) sum += (boid.position - end[0].position).norm() / 60.0f;
        return sum;
    };
    CHECK(distance(0.0f) > 30.0f);
    CHECK(distance(2.0f) < 8.0f);
}

TEST_CASE("boids: prey flees, predators hunt") {
    FlockRules rules = no_rules();
    std::vector<Boid> boids = scattered(60, 3.0, 7);
    for (Boid& boid : boids) boid.velocity = Vec3(0, 0, 2.0f);
    boids[0] = {.position = Vec3(0, 0, -8), .velocity = Vec3(0, 0, 2), .id = 0, .role = BoidRole::predator};
    const auto nearest = [&](const FlockRules& r) {
        const auto end = by_id(run(boids, r, {}, 5));
        float best = INFINITY;
        for (size_t i = 1; i < end.size(); ++i) best = std::min(best, (end[i].position - end[0].position).norm());
        return best;
    };
    CHECK(nearest(rules) < 1.0f);  // without fear it has caught one
    rules.fear = 3.0f;
    CHECK(nearest(rules) > 3.0f);
    // And the predator follows: without a hunt it would fly along x for ever.
    std::vector<Boid> aside = boids;
    aside[0].velocity = Vec3(2, 0, 0);
    CHECK(by_id(run(aside, no_rules(), {}, 5))[0].velocity.z() > 1.5f);
}

TEST_CASE("boids: what is behind is not seen") {
    // Two in a row, flying along x: the one ahead has the other at its back.
    FlockRules rules = no_rules();
    rules.cohesion = 1.0f, rules.slowest = 1.0f;
    const std::vector<Boid> boids = {{.position = Vec3(0, 0, 0), .velocity = Vec3(2, 0, 0), .id = 0},
                                     {.position = Vec3(2, 0.1f, 0), .velocity = Vec3(2, 0, 0), .id = 1}};
    const auto front = [&](float view) {
        rules.field_of_view = view;
        return by_id(run(boids, rules, {}, 0.5f))[1];
    };
    CHECK(front(radians(270.0f)).velocity == boids[1].velocity);
    CHECK(front(radians(360.0f)).velocity.x() < 2.0f);
}

TEST_CASE("boids: what flies level neither climbs nor dives for long") {
    FlockRules rules = no_rules();
    rules.slowest = 0.0f;
    const auto steepest = [&](float level) {
        rules.level = level;
        float worst = 0;
        for (const Boid& boid : by_id(run(scattered(100, 5.0, 10), rules, {}, 5)))
            worst = std::max(worst, std::abs(boid.velocity.y()));
        return worst;
    };
    CHECK(steepest(0.0f) > 2.0f);
    CHECK(steepest(1.0f) < 0.1f);
}

TEST_CASE("boids: they stay in their bounds") {
    FlockRules rules = no_rules();
    Box bounds;
    bounds.add(Vec3(-10, -10, -10)), bounds.add(Vec3(10, 10, 10));
    const auto farthest = [&](float weight) {
        rules.bounds = weight;
        float worst = 0;
        for (const Boid& boid : by_id(run(scattered(100, 5.0, 8), rules, {.bounds = bounds}, 20)))
            worst = std::max(worst, boid.position.cwiseAbs().maxCoeff());
        return worst;
    };
    CHECK(farthest(0.0f) > 30.0f);
    CHECK(farthest(2.0f) < 13.0f);
}

TEST_CASE("boids: the same bytes for 1, 2 and 8 threads, and numbers stay with their boids") {
    Box bounds;
    bounds.add(Vec3(-20, -20, -20)), bounds.add(Vec3(20, 20, 20));
    std::vector<Boid> boids = scattered(5000, 18.0, 9);
    boids[17].role = BoidRole::leader, boids[99].role = BoidRole::predator;
    std::vector<std::vector<Boid>> ends;
    for (const int threads : {1, 2, 8}) {
        set_thread_count(threads);
        ends.push_back(by_id(run(boids, {}, {.goals = {Vec3(5, 0, 0)}, .bounds = bounds}, 1.0f)));
    }
    set_thread_count(0);
    for (size_t i = 0; i < boids.size(); ++i) {
        REQUIRE(ends[0][i].id == i);
        for (const auto& end : ends) {
            REQUIRE(end[i].position == ends[0][i].position);
            REQUIRE(end[i].velocity == ends[0][i].velocity);
        }
    }
    CHECK(ends[0][17].role == BoidRole::leader);
}

TEST_CASE("boids: all in one place, or at places that are no numbers: finite, and they part") {
    std::vector<Boid> boids(3000);
    for (size_t i = 0; i < boids.size(); ++i) boids[i].id = static_cast<uint32_t>(i);
    boids[5].position = Vec3(NAN, INFINITY, 0);
    const auto end = by_id(run(std::move(boids), {}, {}, 1.0f));
    for (const Boid& boid : end) REQUIRE((boid.position.allFinite() && boid.velocity.allFinite()));
    CHECK(spread_of(end) > 0.1f);
}
