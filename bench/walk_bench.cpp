// Walking by balance: a thousand steps, pushes, slopes; and learning it from no balance at all.
//   script/bench walk [steps|pushes|learn]   one of them; all without
#include <sinew/io/read.h>
#include <sinew/ragdoll/control/learn_walk.h>
#include <sinew/sample/sample.h>
#include <ctime>
#include <filesystem>
#include <numbers>
#include <string>
#include <string_view>

#include <fmt/format.h>

using namespace sinew;

namespace {

void thousand_steps(const std::string& name, const RagdollBody& body) {
    const std::clock_t start = std::clock();
    const auto walk = try_walk(body, {}, {.seconds = 1000.0, .steps = 1000});
    const double cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!walk) return fmt::print("{}: {}\n", name, walk.error().message), void();
    fmt::print("{:16} {:4} steps{}, {:3.0f} a minute, {:.2f} m each, {:.2f} m/s, yaw {:.2f} rad, {:.0f}× real time\n",
               name, walk->steps, walk->fell ? ", then it fell" : "", 60.0 * walk->steps / walk->seconds,
               walk->distance / std::max(walk->steps, 1), walk->distance / walk->seconds, walk->worst_yaw,
               walk->seconds / cpu);
}

void pushes_and_slopes(const std::string& name, const RagdollBody& body) {
    for (const double newtons : {100.0, 200.0}) {
        int stood = 0;
        for (int direction = 0; direction < 8; ++direction)
            for (int phase = 0; phase < 8; ++phase) {
                const double angle = direction * std::numbers::pi / 4.0;
                const Vec3d force = newtons * (std::sin(angle) * body.left + std::cos(angle) * body.ahead);
                stood += !try_walk(body, {}, {.seconds = 8.0, .pushes = {{3.0 + 0.12 * phase, 0.2, force}}})->fell;
            }
        fmt::print("{:16} {} of 64 stay up after {} N for 0.2 s\n", name, stood, newtons);
    }
    for (const double slope : {-5.0, -2.5, 2.5, 5.0}) {
        const auto walk = try_walk(body, {}, {.seconds = 20.0, .slope = slope * std::numbers::pi / 180.0});
        fmt::print("{:16} a slope of {}°: {} steps in {:.1f} s{}\n", name, slope, walk->steps, walk->seconds,
                   walk->fell ? ", then it fell" : "");
    }
}

// From the numbers of the prototype without any balance, until it walks for so long as a hundred steps take.
void learn_from_nothing(const RagdollBody& body) {
    WalkStyle start = without_balance({});
    start.dwell = 0.3, start.swing_hip_a = 0.5, start.swing_hip_b = -0.1, start.swing_knee_a = 1.1;
    start.swing_knee_b = 0.05, start.stance_knee_a = 0.05, start.stance_knee_b = 0.1, start.swing_ankle = 0.0;
    start.stance_ankle_a = start.stance_ankle_b = 0.0, start.lean = 0.1, start.pelvis_pitch = 0.0;
    int learnt = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        const LearnedWalk walk =
            learn_walk(body, start, {.seconds = 20.0, .step = 0.0},
                       {.most_evaluations = 500, .spread = 1.0, .seed = seed, .good_enough = 19.0});
        const auto proof = try_walk(body, walk.style, {.seconds = 120.0, .steps = 100});
        learnt += proof->steps >= 100;
        fmt::print("  seed {}: {} steps after {} evaluations\n", seed, proof->steps, walk.evaluations);
    }
    fmt::print("{} of 10 learn to walk 100 steps\n", learnt);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    const auto body = fit_ragdoll(make_rigged_humanoid(), walking_parts);
    for (const char* name : {"humanoid-rigged", "humanoid-tall", "humanoid-thin"}) {
        const auto other = fit_ragdoll(*make_sample(name), walking_parts);
        if (what.empty() || what == "steps") thousand_steps(name, *other);
        if (what.empty() || what == "pushes") pushes_and_slopes(name, *other);
    }
    if (what.empty() || what == "learn") learn_from_nothing(*body);
}
