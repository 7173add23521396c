#include <sinew/ragdoll/control/learn_walk.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace sinew {
namespace {

constexpr double fall_cost = 100.0, fall_range = 80.0;  // a fall at once, and how much less it is at the end
constexpr double yaw_allowed = 0.15, yaw_cost = 20.0;   // radians
constexpr double short_cost = 30.0, pace_cost = 10.0, restless_cost = 0.5, aside_cost = 0.5;
constexpr double pushed_fall_cost = 8.0, push_seconds = 0.2, pushed_at = 3.0, pushed_trial = 7.0;
constexpr int push_directions = 4;
constexpr double sure_seconds = 10.0;
constexpr size_t lesson = 240;   // evaluations for a body that the usual style does not suit
constexpr double learnt = 18.0;  // cost: on its feet for the whole trial

}  // namespace

double walk_cost(const RagdollBody& body, const WalkStyle& style, const WalkLesson& goal) {
    const auto walk = try_walk(body, style, {.seconds = goal.seconds});
    if (!walk) return fall_cost;
    if (walk->fell) return fall_cost - fall_range * walk->seconds / goal.seconds;
    const double size = body.height / usual_height;
    const double length = walk->steps > 0 ? walk->distance / walk->steps / size : 0.0;
    const double pace = walk->steps / walk->seconds * std::sqrt(size);
    double cost = yaw_cost * std::max(0.0, walk->worst_yaw - yaw_allowed) + aside_cost * std::abs(walk->sideways) +
                  short_cost * std::max(0.0, goal.step - length) + pace_cost * std::abs(pace - goal.steps_a_second) +
                  restless_cost * walk->effort;
    for (int d = 0; goal.push > 0.0 && d < push_directions; ++d) {
        const double angle = 0.5 * std::numbers::pi * d + 0.4 * d;
        const Vec3d force =
            goal.push * body.mass / usual_mass * (std::sin(angle) * body.left + std::cos(angle) * body.ahead);
        const auto pushed =
            try_walk(body, style, {.seconds = pushed_trial, .pushes = {{pushed_at + 0.13 * d, push_seconds, force}}});
        if (pushed->fell) cost += pushed_fall_cost + pushed_trial - pushed->seconds;
    }
    return cost;
}

LearnedWalk learn_walk(const RagdollBody& body, const WalkStyle& style, const WalkLesson& goal,
                       const EvolutionOptions& options) {
    const auto start = to_numbers(style), spread = walk_style_spread();
    const auto style_of = [](const std::vector<double>& numbers) {
        return from_numbers(std::span<const double, walk_style_size>(numbers.data(), walk_style_size));
    };
    const Evolved found = evolve(
        {start.begin(), start.end()}, {spread.begin(), spread.end()},
        [&](const std::vector<double>& numbers) { return walk_cost(body, style_of(numbers), goal); }, options);
    return {style_of(found.best), found.cost, found.evaluations};
}

Result<WalkStyle> walk_style_for(const RagdollBody& body) {
    SINEW_TRY(const WalkOutcome usual, try_walk(body, {}, {.seconds = sure_seconds}));
    if (!usual.fell) return WalkStyle{};
    return learn_walk(body, {}, {}, {.most_evaluations = lesson, .spread = 0.7, .good_enough = learnt}).style;
}

}  // namespace sinew
