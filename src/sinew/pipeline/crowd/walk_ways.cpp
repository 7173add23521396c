#include <sinew/core/random.h>
#include <sinew/flock/agents/walkers.h>
#include <sinew/pipeline/crowd/crowd_ways.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr float person_height = 1.75f;  // walkers' rules are a person's: other bodies are scaled to that
constexpr float open_spacing = 1.7f;    // metres between people on an open place
constexpr float settle_seconds = 1.5f;  // in which they start to go before the clip begins
constexpr float radius_of_height = 0.16f, radius_of_length = 0.35f;

// A square with goals all round it; each leads to the one opposite.
void open_place(CrowdScene& scene, size_t count) {
    const float half = 0.5f * open_spacing * std::sqrt(static_cast<float>(count));
    constexpr int goals = 8;
    if (scene.goals.empty())
        for (int i = 0; i < goals; ++i) {
            const float angle = 2.0f * pi * static_cast<float>(i) / goals, away = 1.5f * half + 4.0f;
            scene.goals.push_back(
                {Vec3(away * std::sin(angle), 0.0f, away * std::cos(angle)), 2.0f, (i + goals / 2) % goals});
        }
    if (scene.groups.empty()) scene.groups.push_back({Vec2(-half, -half), Vec2(half, half)});
    for (CrowdGroup& group : scene.groups)
        if (group.goals.empty())
            for (size_t g = 0; g < scene.goals.size(); ++g) group.goals.push_back(static_cast<int32_t>(g));
}

// Everything divided by the unit: then a body is as tall as a person.
void scale_scene(CrowdScene& scene, float by) {
    for (CrowdGoal& goal : scene.goals) goal.at *= by, goal.radius *= by;
    for (GroundObstacle& obstacle : scene.obstacles) {
        obstacle.radius *= by;
        for (Vec2& corner : obstacle.corners) corner *= by;
    }
    for (CrowdGroup& group : scene.groups) group.from *= by, group.to *= by;
}

// Places on a grid, outside obstacles, as far apart as the area allows; shaken so that nobody sees the grid.
Result<std::vector<Vec2>> start_places(const CrowdGroup& group, std::span<const GroundObstacle> obstacles, size_t count,
                                       float radius, Random& random) {
    const Vec2 extent = (group.to - group.from).cwiseMax(Vec2::Constant(2.0f * radius));
    const float closest = 2.1f * radius;
    float spacing =
        std::max(closest, std::sqrt(extent.x() * extent.y() / static_cast<float>(std::max<size_t>(count, 1))));
    std::vector<Vec2> places;
    for (constexpr float denser = 0.93f;; spacing = std::max(closest, spacing * denser)) {
        places.clear();
        const int columns = std::max(1, static_cast<int>(extent.x() / spacing)),
                  rows = std::max(1, static_cast<int>(extent.y() / spacing));
        for (int z = 0; z < rows; ++z)
            for (int x = 0; x < columns; ++x) {
                const Vec2 place =
                    group.from + Vec2((static_cast<float>(x) + 0.5f) * extent.x() / static_cast<float>(columns),
                                      (static_cast<float>(z) + 0.5f) * extent.y() / static_cast<float>(rows));
                if (std::ranges::all_of(
                        obstacles, [&](const GroundObstacle& o) { return distance_to(o, place).distance > radius; }))
                    places.push_back(place);
            }
        if (places.size() >= count) break;
        if (spacing == closest)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("there is room for {} of {} bodies in the area from [{:.1f}, {:.1f}] to [{:.1f}, "
                                    "{:.1f}]; make it larger or lower --count",
                                    places.size(), count, group.from.x(), group.from.y(), group.to.x(), group.to.y()));
    }
    for (size_t i = 0; i < count; ++i) std::swap(places[i], places[i + random.below(places.size() - i)]);
    places.resize(count);
    const double shake = 0.45 * std::max(0.0f, spacing - closest);
    for (Vec2& place : places)
        place +=
            Vec2(static_cast<float>(random.uniform(-shake, shake)), static_cast<float>(random.uniform(-shake, shake)));
    return places;
}

Result<std::vector<Walker>> start_walkers(const CrowdScene& scene, const CrowdBody& body, size_t count, uint64_t seed) {
    Random random(seed);
    std::vector<Walker> walkers;
    float all = 0.0f, given = 0.0f;
    for (const CrowdGroup& group : scene.groups) all += group.share;
    const float radius = std::max(radius_of_height * body.height, radius_of_length * body.length);
    for (const CrowdGroup& group : scene.groups) {
        given += group.share;
        const auto until = static_cast<size_t>(std::lround(static_cast<float>(count) * given / all));
        SINEW_TRY(const auto places, start_places(group, scene.obstacles, until - walkers.size(), radius, random));
        for (const Vec2& place : places) {
            Walker walker{.position = place, .radius = radius};
            walker.speed =
                body.walk_speed * static_cast<float>(random.uniform(double{group.slowest}, double{group.fastest}));
            walker.goal = static_cast<uint32_t>(group.goals[random.below(group.goals.size())]);
            const Vec3 at = scene.goals[walker.goal].at;
            const Vec2 way = Vec2(at.x(), at.z()) - place;
            walker.heading = std::atan2(way.x(), way.y());
            walker.velocity = 0.5f * walker.speed * Vec2(std::sin(walker.heading), std::cos(walker.heading));
            walkers.push_back(walker);
        }
    }
    return walkers;
}

}  // namespace

Result<CrowdWays> walk_ways(CrowdScene scene, const CrowdBody& body, const CrowdOptions& options) {
    const float unit = body.height / person_height;
    const auto count = static_cast<size_t>(options.count);
    scale_scene(scene, 1.0f / unit);
    open_place(scene, count);
    const CrowdBody scaled{body.height / unit, body.length / unit, body.walk_speed / unit};
    SINEW_TRY(std::vector<Walker> start, start_walkers(scene, scaled, count, options.seed));
    WalkScene ground{.goals = {}, .obstacles = scene.obstacles};
    for (const CrowdGoal& goal : scene.goals)
        ground.goals.push_back({Vec2(goal.at.x(), goal.at.z()), goal.radius, goal.next});
    Walkers walkers(std::move(start), std::move(ground));

    const float tick = 1.0f / options.fps;
    const auto settle = static_cast<size_t>(settle_seconds * options.fps);
    CrowdWays ways{.count = count,
                   .frames = static_cast<size_t>(std::lround(options.seconds * options.fps)) + 1,
                   .places = {},
                   .speeds = {}};
    ways.places.reserve(ways.frames * count);
    for (size_t i = 0; i < settle; ++i) walkers.step(tick);
    for (const Walker& walker : walkers.walkers()) ways.speeds.push_back(walker.velocity.norm() * unit);
    for (size_t f = 0; f < ways.frames; ++f) {
        report(options.listener.progress, "walking", static_cast<double>(f) / static_cast<double>(ways.frames));
        for (const Walker& walker : walkers.walkers())
            ways.places.push_back({Vec3(walker.position.x(), 0.0f, walker.position.y()) * unit,
                                   Quat(Eigen::AngleAxisf(walker.heading, Vec3::UnitY())), walker.heading});
        walkers.step(tick);
    }
    return ways;
}

}  // namespace sinew
