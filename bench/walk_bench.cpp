// Walking by balance: a thousand steps, pushes, slopes; and learning it from no balance at all.
//   script/bench walk [steps|pushes|slopes|bodies|nothing|tune] [BODY…]
// steps, pushes, slopes: of the usual style, or of what a body learns that falls with it. bodies: what each learns.
// nothing: learning from no balance. tune: looks for a better usual style, and prints the numbers. A BODY is a sample's
// name or a file; without one, three samples, for `nothing` the first. Without a word: the first three.
#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/io/read.h>
#include <sinew/ragdoll/control/learn_balance.h>
#include <sinew/sample/sample.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace sinew;

namespace {

struct Subject {
    std::string name;
    RagdollBody body;
    WalkStyle style;
};

double cpu_now() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void thousand_steps(const Subject& s) {
    const double start = cpu_now();
    const auto walk = try_walk(s.body, s.style, {.seconds = 1000.0, .steps = 1000});
    const double cpu = cpu_now() - start;
    fmt::print("{:24} {:4} steps{}, {:3.0f} a minute, {:.2f} m each, {:.2f} m/s, yaw {:.2f} rad, {:.0f}× real time\n",
               s.name, walk->steps, walk->fell ? ", then it fell" : "", 60.0 * walk->steps / walk->seconds,
               walk->distance / std::max(walk->steps, 1), walk->distance / walk->seconds, walk->worst_yaw,
               walk->seconds / cpu);
    std::fflush(stdout);
}

// The style, and copies of it with every number changed by up to half a per cent: a walk is chaotic, so that one grid
// alone says little.
constexpr size_t copies = 6;
constexpr double change = 0.005;
WalkStyle copy_of(const WalkStyle& style, size_t copy) {
    if (copy == 0) return style;
    Random random(copy);
    auto numbers = to_numbers(style);
    for (double& number : numbers) number *= 1.0 + change * (2.0 * random.uniform() - 1.0);
    return from_numbers(numbers);
}

// Eight directions at eight moments of a walk, of 0.2 s each; all at once. How many stay up, for each copy.
std::array<int, copies> stay_up(const Subject& s, double newtons) {
    constexpr size_t directions = 8, moments = 8, each = directions * moments;
    std::vector<uint8_t> stood(copies * each);
    parallel_for(stood.size(), 1, [&](size_t k, size_t) {
        const size_t i = k % each;
        const double angle = static_cast<double>(i / moments) * std::numbers::pi / 4.0;
        const Vec3d force = newtons * (std::sin(angle) * s.body.left + std::cos(angle) * s.body.ahead);
        const double at = 3.0 + 0.12 * static_cast<double>(i % moments);
        const WalkTrial trial{.seconds = 8.0, .pushes = {{at, 0.2, force}}};
        stood[k] = !try_walk(s.body, copy_of(s.style, k / each), trial)->fell;
    });
    std::array<int, copies> up{};
    for (size_t k = 0; k < stood.size(); ++k) up[k / each] += stood[k];
    return up;
}

void pushed(const Subject& s) {
    for (const double newtons : {100.0, 200.0}) {
        const auto up = stay_up(s, newtons);
        fmt::print("{:24} {:.1f} of 64 stay up after {} N for 0.2 s, at worst {}; the style itself and {} copies: {}\n",
                   s.name, std::accumulate(up.begin(), up.end(), 0.0) / copies, newtons, std::ranges::min(up),
                   copies - 1, fmt::join(up, " "));
        std::fflush(stdout);
    }
}

void on_slopes(const Subject& s) {
    for (const double slope : {-5.0, -2.5, 2.5, 5.0}) {
        const auto walk = try_walk(s.body, s.style, {.seconds = 20.0, .slope = slope * std::numbers::pi / 180.0});
        fmt::print("{:24} a slope of {}°: {} steps in {:.1f} s{}\n", s.name, slope, walk->steps, walk->seconds,
                   walk->fell ? ", then it fell" : "");
    }
    std::fflush(stdout);
}

// From the poses of a walk without any balance, until it walks a hundred steps ahead; ten times, each by other chances.
void learn_from_nothing(const Subject& s) {
    constexpr int steps = 100;
    int learnt = 0;
    const auto before = try_walk(s.body, without_balance({}), {});
    fmt::print("{:24} without balance: {} steps, then it fell\n", s.name, before->steps);
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        const double start = cpu_now();
        const LearnedBalance walk = learn_balance(s.body, {}, {.steps = steps, .seed = seed});
        const auto proof = try_walk(s.body, walk.style, {.seconds = 200.0, .steps = steps});
        learnt += proof->steps >= steps && !proof->fell && walk.walks;
        fmt::print("  seed {}: {} steps after {} evaluations, {:.2f} m each, {:.0f} a minute, {:.0f} s of processor\n",
                   seed, proof->steps, walk.evaluations, proof->distance / std::max(proof->steps, 1),
                   60.0 * proof->steps / proof->seconds, cpu_now() - start);
        std::fflush(stdout);
    }
    fmt::print("{} of 10 learn to walk {} steps within 500 evaluations\n", learnt, steps);
}

// From the usual style, looks for a better one for all of these bodies: pushed from all sides, and on slopes. What is
// printed is the middle of the last generation and the best, since which pushes are survived is partly chance.
void tune(std::span<const Subject> subjects) {
    const auto cost = [&](const std::vector<double>& numbers) {
        const WalkStyle style = from_numbers(std::span<const double, walk_style_size>(numbers.data(), walk_style_size));
        double sum = 0.0;
        for (const Subject& s : subjects)
            sum += walk_cost(s.body, style,
                             {.seconds = 4.0,
                              .step = 0.55,
                              .pushes = 8,
                              .push = 200.0 * usual_mass / s.body.mass,
                              .gentlest = 1.0,
                              .slope = 5.0 * std::numbers::pi / 180.0});
        return sum / static_cast<double>(subjects.size());
    };
    const auto usual = to_numbers({}), spread = walk_style_spread();
    const double start = cpu_now();
    const Evolved found = evolve({usual.begin(), usual.end()}, {spread.begin(), spread.end()}, cost,
                                 {.population = 14,
                                  .most_evaluations = 400,
                                  .spread = 0.2,
                                  .seed = 19,
                                  .progress = [&](size_t evaluations, double best) {
                                      fmt::print("  {} evaluations, cost {:.2f}, {:.0f} s of processor\n", evaluations,
                                                 best, cpu_now() - start);
                                      std::fflush(stdout);
                                  }});
    for (const std::vector<double>* numbers : {&found.middle, &found.best})
        fmt::print("{}: cost {:.2f}: {:.6f}\n", numbers == &found.best ? "best" : "middle", cost(*numbers),
                   fmt::join(*numbers, ", "));
}

Result<Character> body_named(const std::string& name) {
    if (const auto sample = make_sample(name)) return *sample;
    return read_character(name);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    std::vector<std::string> names(argv + std::min(argc, 2), argv + argc);
    if (names.empty()) names = {"humanoid-rigged"};
    if (argc < 3 && what != "nothing") names.insert(names.end(), {"humanoid-thin", "humanoid-tall"});
    std::vector<Subject> tuned;
    for (const std::string& name : names) {
        const auto character = body_named(name);
        if (!character) return fmt::print("{}: {}\n", name, character.error().message), 1;
        const auto body = fit_ragdoll(*character, walking_parts);
        if (!body) return fmt::print("{}: {}\n", name, body.error().message), 1;
        Subject subject{std::filesystem::path(name).stem().string(), *body, {}};
        if (what == "nothing") {
            learn_from_nothing(subject);
            continue;
        }
        if (what == "tune") {
            tuned.push_back(std::move(subject));
            continue;
        }
        const double before = cpu_now();
        const auto style = walk_style_for(*body);
        if (!style) return fmt::print("{}: {}\n", name, style.error().message), 1;
        subject.style = *style;
        const bool usual = to_numbers(*style) == to_numbers({});
        fmt::print("{:24} {:.2f} m, {:.0f} kg: {}, {:.0f} s of processor\n", subject.name, body->height, body->mass,
                   usual ? "walks with the usual style" : "learnt its own", cpu_now() - before);
        if (what.empty() || what == "steps" || what == "bodies") thousand_steps(subject);
        if (what.empty() || what == "pushes") pushed(subject);
        if (what.empty() || what == "slopes") on_slopes(subject);
    }
    if (!tuned.empty()) tune(tuned);
}
