#include <sinew/ragdoll/control/learn_balance.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

constexpr double longest_step = 1.0;    // seconds in the mean; slower is no walk
constexpr double seconds_a_step = 0.7;  // who stands on one leg for longer does not walk
constexpr double usual_ahead = 0.3;     // m/s
constexpr double ahead_share = 0.5;     // who goes that fast counts by so much more, who goes back by so much less
constexpr double first_score = 8.0;     // ends the first search
constexpr double walks_score = 1000.0;  // more than any walk that ends with a fall
constexpr size_t tries_together = 12, first_tries = 240, later_tries = 100;
constexpr double first_spread = 1.0, later_spread = 0.4;
constexpr WalkSpread balance_spread{.poses = 0.5, .gains = 2.0, .hurry = 0.0};

// Seconds on its feet while it makes steps, more of them where it goes ahead.
double balance_score(const RagdollBody& body, const WalkStyle& style, const BalanceLesson& lesson) {
    const double size = body.height / usual_height, time_scale = std::sqrt(size);
    const auto walk =
        try_walk(body, style, {.seconds = longest_step * lesson.steps * time_scale, .steps = lesson.steps});
    if (!walk) return 0.0;
    const double length = walk->distance / std::max(walk->steps, 1) / size;
    if (!walk->fell && walk->steps >= lesson.steps && length >= lesson.length) return walks_score;
    const double seconds = std::min(walk->seconds / time_scale, seconds_a_step * walk->steps + 1.0);
    const double ahead = walk->distance / std::max(walk->seconds, 0.1) / (size / time_scale);
    return seconds * (1.0 + ahead_share * std::clamp(ahead / usual_ahead, -1.0, 1.0));
}

}  // namespace

LearnedBalance learn_balance(const RagdollBody& body, const WalkStyle& poses, const BalanceLesson& lesson) {
    const auto start = to_numbers(without_balance(poses)), spread = walk_style_spread(balance_spread);
    std::vector<size_t> free;  // which numbers it looks for
    for (size_t i = 0; i < walk_style_size; ++i)
        if (spread[i] > 0.0) free.push_back(i);
    std::vector<double> best, scale;
    for (const size_t i : free) best.push_back(start[i]), scale.push_back(spread[i]);
    const auto style_of = [&](const std::vector<double>& found) {
        auto numbers = start;
        for (size_t k = 0; k < free.size(); ++k) numbers[free[k]] = found[k];
        return from_numbers(numbers);
    };
    const auto cost_of = [&](const std::vector<double>& found) {
        return -balance_score(body, style_of(found), lesson);
    };
    LearnedBalance out;
    for (uint64_t round = 0; !out.walks && out.evaluations + tries_together < lesson.most_evaluations; ++round) {
        const bool first = round == 0;
        const Evolved found = evolve(
            best, scale, cost_of,
            {.population = tries_together,
             .most_evaluations = std::min(first ? first_tries : later_tries, lesson.most_evaluations - out.evaluations),
             .spread = first ? first_spread : later_spread,
             .seed = lesson.seed * 100 + round,
             .good_enough = first ? -first_score : -0.5 * walks_score,
             .progress = [&](size_t evaluations, double) {
                 if (lesson.progress) lesson.progress(out.evaluations + evaluations);
             }});
        out.evaluations += found.evaluations;
        best = found.best;  // never worse than what it began with
        out.cost = found.cost, out.walks = found.cost <= -walks_score;
    }
    out.style = style_of(best);
    return out;
}

}  // namespace sinew
