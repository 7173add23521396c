#include <sinew/ragdoll/control/learn_walk.h>

#include <sinew/ragdoll/control/learn_balance.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace sinew {
namespace {

constexpr double fall_cost = 100.0, fall_range = 80.0;  // a fall at once, and how much less it is at the end
constexpr double yaw_allowed = 0.12, yaw_cost = 20.0;   // radians
constexpr double short_cost = 30.0, pace_cost = 10.0, restless_cost = 0.5, aside_cost = 0.5;
constexpr double push_seconds = 0.2, between_pushes = 2.63;  // seconds; no multiple of a step, so that phases differ
constexpr double settling = 2.5;                             // seconds from standing to the first push after a fall
constexpr double pushed_over_cost = 60.0;                    // all pushes; each its share
constexpr double slope_seconds = 8.0, slope_fall_cost = 8.0;

// Pushes from all sides, one after another.
std::vector<WalkPush> pushes_of(const RagdollBody& body, const WalkLesson& goal, double time_scale) {
    std::vector<WalkPush> pushes;
    for (int k = 0; k < goal.pushes; ++k) {
        const double angle = std::numbers::pi * (3.0 - std::sqrt(5.0)) * k;  // the golden angle
        const double share = goal.gentlest + (1.0 - goal.gentlest) * k / std::max(goal.pushes - 1, 1);
        const double newtons = share * goal.push * body.mass / usual_mass / time_scale;
        pushes.push_back({(goal.seconds + between_pushes * k) * time_scale, push_seconds * time_scale,
                          newtons * (std::sin(angle) * body.left + std::cos(angle) * body.ahead)});
    }
    return pushes;
}

// How many pushes made it fall. After a fall it stands again, walks a little, and the next push comes.
double falls_of(const RagdollBody& body, const WalkStyle& style, std::vector<WalkPush> pushes, WalkOutcome walk,
                double time_scale) {
    double falls = 0.0;
    while (walk.fell) {
        size_t pushed = 0;
        while (pushed < pushes.size() && pushes[pushed].at < walk.seconds) ++pushed;
        // Later is better, so that evolution has something to follow.
        const double since = pushed > 0 ? walk.seconds - pushes[pushed - 1].at : 0.0;
        falls += 1.0 - 0.5 * std::min(1.0, since / (between_pushes * time_scale));
        if (pushed == 0) return falls + static_cast<double>(pushes.size());
        pushes.erase(pushes.begin(), pushes.begin() + static_cast<std::ptrdiff_t>(pushed));
        if (pushes.empty()) break;
        const double earlier = pushes.front().at - settling * time_scale;
        for (WalkPush& push : pushes) push.at -= earlier;
        walk = *try_walk(body, style, {.seconds = pushes.back().at + between_pushes * time_scale, .pushes = pushes});
    }
    return falls;
}

// A body that the usual style does not suit learns balance, by other chances where the first do not do; then to take
// small pushes, from where that ended.
constexpr size_t balance_tries = 250;
constexpr uint64_t most_rounds = 3;
const WalkLesson pushed_lesson{.seconds = 8.0, .pushes = 6, .push = 80.0};
constexpr size_t pushed_tries = 60;
constexpr double pushed_spread = 0.2, pushed_learnt = 8.0;  // cost: no push makes it fall
constexpr double sure_seconds = 40.0;

}  // namespace

double walk_cost(const RagdollBody& body, const WalkStyle& style, const WalkLesson& goal) {
    const double size = body.height / usual_height, time_scale = std::sqrt(size);
    const double all = (goal.seconds + goal.pushes * between_pushes) * time_scale;
    const std::vector<WalkPush> pushes = pushes_of(body, goal, time_scale);
    const auto walk = try_walk(body, style, {.seconds = all, .pushes = pushes});
    if (!walk) return fall_cost;
    const double calm_seconds = goal.seconds * time_scale;
    if (walk->fell && walk->seconds < calm_seconds) return fall_cost - fall_range * walk->seconds / calm_seconds;
    const WalkFigures& calm = walk->calm;
    const double length = calm.steps > 0 ? calm.distance / calm.steps / size : 0.0;
    const double pace = calm.steps / calm.seconds * time_scale;
    double cost = yaw_cost * std::max(0.0, calm.worst_yaw - yaw_allowed) + aside_cost * std::abs(calm.sideways / size) +
                  short_cost * std::max(0.0, goal.step - length) + pace_cost * std::abs(pace - goal.steps_a_second) +
                  restless_cost * calm.effort;
    if (walk->fell)
        cost += pushed_over_cost * falls_of(body, style, pushes, *walk, time_scale) / std::max(goal.pushes, 1);
    if (goal.slope > 0.0)
        for (const double slope : {goal.slope, -goal.slope}) {
            const double seconds = slope_seconds * time_scale;
            const auto sloped = try_walk(body, style, {.seconds = seconds, .slope = slope});
            if (sloped->fell) cost += slope_fall_cost * (2.0 - sloped->seconds / seconds);
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

Result<WalkStyle> walk_style_for(const RagdollBody& body, const Progress& progress) {
    const auto stays_up = [&](const WalkStyle& style) -> Result<bool> {
        SINEW_TRY(const WalkOutcome walk, try_walk(body, style, {.seconds = sure_seconds}));
        return !walk.fell;
    };
    SINEW_TRY(bool walks, stays_up({}));
    if (walks) return WalkStyle{};
    const auto all = static_cast<double>(most_rounds * balance_tries + pushed_tries);
    double done = 0.0;
    const auto tell = [&](size_t evaluations) {
        report(progress, "learning to walk", (done + static_cast<double>(evaluations)) / all);
    };
    WalkStyle style;
    for (uint64_t seed = 1; seed <= most_rounds && !walks; ++seed) {
        style = learn_balance(body, {}, {.most_evaluations = balance_tries, .seed = seed, .progress = tell}).style;
        SINEW_TRY(walks, stays_up(style));
        done += static_cast<double>(balance_tries);
    }
    if (!walks) return style;
    const LearnedWalk sturdier = learn_walk(body, style, pushed_lesson,
                                            {.most_evaluations = pushed_tries,
                                             .spread = pushed_spread,
                                             .good_enough = pushed_learnt,
                                             .progress = [&](size_t evaluations, double) { tell(evaluations); }});
    SINEW_TRY(walks, stays_up(sturdier.style));
    return walks ? sturdier.style : style;
}

}  // namespace sinew
