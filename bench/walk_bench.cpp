// Walking by balance: a thousand steps, pushes, slopes; and learning it from no balance at all.
//   script/bench walk [steps|pushes|slopes|nothing|bodies|tune] [BODY…]
// steps, pushes, slopes: of the usual style, or of what a body learns that falls with it. nothing: learning from no
// balance. bodies: what each learns. tune: looks for a better usual style, and prints the numbers. A BODY is a sample's
// name or a file; without one, three samples. Without a word: all but the last two.
#include <sinew/core/parallel.h>
#include <sinew/io/read.h>
#include <sinew/ragdoll/control/learn_walk.h>
#include <sinew/sample/sample.h>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

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

// Eight directions at eight moments of a walk, of 0.2 s each; all at once.
int stay_up(const Subject& s, double newtons) {
    std::vector<uint8_t> stood(64);
    parallel_for(stood.size(), 1, [&](size_t i, size_t) {
        const double angle = static_cast<double>(i / 8) * std::numbers::pi / 4.0;
        const Vec3d force = newtons * (std::sin(angle) * s.body.left + std::cos(angle) * s.body.ahead);
        const double at = 3.0 + 0.12 * static_cast<double>(i % 8);
        stood[i] = !try_walk(s.body, s.style, {.seconds = 8.0, .pushes = {{at, 0.2, force}}})->fell;
    });
    return static_cast<int>(std::ranges::count(stood, 1));
}

void pushed(const Subject& s) {
    fmt::print("{:24} {} and {} of 64 stay up after 100 and 200 N for 0.2 s\n", s.name, stay_up(s, 100.0),
               stay_up(s, 200.0));
    std::fflush(stdout);
}

void on_slopes(const Subject& s) {
    for (const double slope : {-5.0, -2.5, 2.5, 5.0}) {
        const auto walk = try_walk(s.body, s.style, {.seconds = 20.0, .slope = slope * std::numbers::pi / 180.0});
        fmt::print("{:24} a slope of {}°: {} steps in {:.1f} s{}\n", s.name, slope, walk->steps, walk->seconds,
                   walk->fell ? ", then it fell" : "");
    }
    std::fflush(stdout);
}

// From the numbers of the prototype without any balance, until it walks for so long as a hundred steps take.
void learn_from_nothing(const RagdollBody& body) {
    WalkStyle start = without_balance({});
    start.dwell = 0.3, start.swing_hip_a = 0.5, start.swing_hip_b = -0.1, start.swing_knee_a = 1.1;
    start.swing_knee_b = 0.05, start.stance_knee_a = 0.05, start.stance_knee_b = 0.1, start.swing_ankle = 0.0;
    start.stance_ankle_a = start.stance_ankle_b = 0.0, start.lean = 0.1, start.pelvis_pitch = 0.0;
    int learnt = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        const double before = cpu_now();
        const LearnedWalk walk =
            learn_walk(body, start, {.seconds = 60.0, .step = 0.0},
                       {.most_evaluations = 500, .spread = 1.0, .seed = seed, .good_enough = 19.0});
        const auto proof = try_walk(body, walk.style, {.seconds = 120.0, .steps = 100});
        learnt += proof->steps >= 100;
        fmt::print("  seed {}: {} steps after {} evaluations, {:.0f} s of processor\n", seed, proof->steps,
                   walk.evaluations, cpu_now() - before);
        std::fflush(stdout);
    }
    fmt::print("{} of 10 learn to walk 100 steps\n", learnt);
}

void print_style(const WalkStyle& style) {
    for (const double number : to_numbers(style)) fmt::print("{:.4f}, ", number);
    fmt::print("\n");
    std::fflush(stdout);
}

// Pushes and slopes in the cost.
void tune(const Subject& s) {
    WalkStyle style = s.style;
    constexpr int rounds = 3;
    for (int round = 1; round <= rounds; ++round) {
        const double push = 90.0 * round;
        const LearnedWalk walk =
            learn_walk(s.body, style, {.pushes = 10, .push = push, .slope = 5.0 * std::numbers::pi / 180.0},
                       {.most_evaluations = 240,
                        .spread = 0.4,
                        .seed = static_cast<uint64_t>(round),
                        .good_enough = 2.0,
                        .progress = [&](size_t evaluations, double cost) {
                            fmt::print("  up to {} N: {} evaluations, cost {:.2f}\n", push, evaluations, cost);
                            std::fflush(stdout);
                        }});
        style = walk.style;
        print_style(style);
        const Subject now{s.name, s.body, style};
        pushed(now);
    }
}

Result<Character> body_named(const std::string& name) {
    if (const auto sample = make_sample(name)) return *sample;
    return read_character(name);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    std::vector<std::string> names(argv + std::min(argc, 2), argv + argc);
    if (names.empty()) names = {"humanoid-rigged", "humanoid-tall", "humanoid-thin"};
    for (const std::string& name : names) {
        const auto character = body_named(name);
        if (!character) return fmt::print("{}: {}\n", name, character.error().message), 1;
        const auto body = fit_ragdoll(*character, walking_parts);
        if (!body) return fmt::print("{}: {}\n", name, body.error().message), 1;
        Subject subject{std::filesystem::path(name).stem().string(), *body, {}};
        if (what == "tune") {
            tune(subject);
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
    if (what.empty() || what == "nothing") learn_from_nothing(*fit_ragdoll(make_rigged_humanoid(), walking_parts));
}
