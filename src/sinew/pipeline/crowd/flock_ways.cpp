#include <sinew/core/random.h>
#include <sinew/flock/boids/flock.h>
#include <sinew/pipeline/crowd/crowd_ways.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float flock_settle_seconds = 2.0f;
constexpr float turn_follow_seconds = 0.2f;  // in which a body turns to where it flies
constexpr float bank_per_turn = 0.35f;       // radians of bank for a radian a second
constexpr float steepest_bank = 1.0f;

// Distances in body lengths, speeds in the motion's.
FlockRules rules_for(const CrowdBody& body) {
    FlockRules rules;
    rules.distance = 1.8f * body.length, rules.sight = 4.5f * body.length, rules.far_sight = 25.0f * body.length;
    rules.slowest = 0.7f * body.walk_speed, rules.fastest = 1.2f * body.walk_speed;
    rules.strongest = 1.5f * body.walk_speed, rules.goal_reached = 6.0f * body.length;
    rules.level = 0.8f;
    return rules;
}

struct Start {
    std::vector<Boid> boids;
    FlockScene scene;
};

Start start_flock(const CrowdScene& scene, const CrowdBody& body, const FlockRules& rules,
                  const CrowdOptions& options) {
    Random random(options.seed);
    const auto one = [&] { return static_cast<float>(random.uniform(-1.0, 1.0)); };
    Start start;
    const float half = 0.75f * rules.distance * std::cbrt(static_cast<float>(options.count));
    const Vec3 middle(0.0f, 0.6f * half + 4.0f * body.length, 0.0f);
    for (int32_t i = 0; i < options.count; ++i) {
        Boid boid;
        const float x = one(), y = one(), z = one();
        boid.position = middle + half * Vec3(1.4f * x, 0.5f * y, z);
        boid.velocity = body.walk_speed * Vec3(0.2f * one(), 0.0f, 1.0f).normalized();
        boid.id = static_cast<uint32_t>(i);
        boid.role = i < scene.leaders                     ? BoidRole::leader
                    : i < scene.leaders + scene.predators ? BoidRole::predator
                                                          : BoidRole::follower;
        start.boids.push_back(boid);
    }
    for (const CrowdGoal& goal : scene.goals) start.scene.goals.push_back(goal.at);
    const float away = 3.0f * half + 10.0f * body.length;
    if (start.scene.goals.empty())
        start.scene.goals = {middle + Vec3(0, 0, away), middle + Vec3(away, 0, 0), middle - Vec3(0, 0, away),
                             middle - Vec3(away, 0, 0)};
    start.scene.bounds.add(middle - Vec3(4.0f * away, middle.y() - 1.5f * body.length, 4.0f * away));
    start.scene.bounds.add(middle + Vec3(4.0f * away, 2.0f * half, 4.0f * away));
    // Obstacles of the ground are columns in the air: as thick as the circle round them.
    for (const GroundObstacle& obstacle : scene.obstacles) {
        Vec2 centre = Vec2::Zero();
        for (const Vec2& corner : obstacle.corners) centre += corner / static_cast<float>(obstacle.corners.size());
        float radius = 0.0f;
        for (const Vec2& corner : obstacle.corners) radius = std::max(radius, (corner - centre).norm());
        const Vec3 foot(centre.x(), 0.0f, centre.y());
        start.scene.obstacles.push_back(
            {foot, foot + Vec3(0.0f, 4.0f * half + 20.0f * body.length, 0.0f), radius + obstacle.radius});
    }
    return start;
}

// The body looks where it flies, and leans into its turns.
void turn_body(CrowdPlace& place, const Boid& boid, float seconds) {
    const Vec3 v = boid.velocity;
    const float heading = std::atan2(v.x(), v.z()), flat = std::hypot(v.x(), v.z());
    const float turned = std::remainder(heading - place.heading, 2.0f * pi);
    const float bank = std::clamp(-bank_per_turn * turned / std::max(seconds, 1e-3f), -steepest_bank, steepest_bank);
    place.position = boid.position, place.heading = heading;
    const Quat wanted(Eigen::AngleAxisf(heading, Vec3::UnitY()) *
                      Eigen::AngleAxisf(-std::atan2(v.y(), flat), Vec3::UnitX()) *
                      Eigen::AngleAxisf(bank, Vec3::UnitZ()));
    place.rotation = place.rotation.slerp(1.0f - std::exp(-seconds / turn_follow_seconds), wanted).normalized();
}

}  // namespace

Result<CrowdWays> flock_ways(const CrowdScene& scene, const CrowdBody& body, const CrowdOptions& options) {
    const FlockRules rules = rules_for(body);
    Start start = start_flock(scene, body, rules, options);
    const auto count = static_cast<size_t>(options.count);
    std::vector<Boid> now = start.boids;
    Flock flock(std::move(start.boids), rules, std::move(start.scene));
    CrowdWays ways{.count = count,
                   .frames = static_cast<size_t>(std::lround(options.seconds * options.fps)) + 1,
                   .places = {},
                   .speeds = {}};
    ways.places.reserve(ways.frames * count);
    std::vector<CrowdPlace> places(count);
    const float tick = 1.0f / options.fps;
    const auto settle = static_cast<size_t>(flock_settle_seconds * options.fps);
    for (size_t f = 0; f < settle + ways.frames; ++f) {
        report(options.listener.progress, "flying", static_cast<double>(f) / static_cast<double>(settle + ways.frames));
        flock.sort_by_id(now);
        for (size_t i = 0; i < count; ++i) turn_body(places[i], now[i], tick);
        if (f == settle)
            for (const Boid& boid : now) ways.speeds.push_back(boid.velocity.norm());
        if (f >= settle) ways.places.insert(ways.places.end(), places.begin(), places.end());
        flock.step(tick);
    }
    return ways;
}

}  // namespace sinew
