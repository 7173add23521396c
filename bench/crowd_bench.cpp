// Crowds: boids at 10,000 and 1,000,000, the decision of a walker, a frame of a walking body (gait, sample, blend,
// palette), and how far soles slide in a written crowd of 10,000. script/bench crowd [--json FILE]
#include <sinew/clip/runtime/crowd.h>
#include <sinew/core/random.h>
#include <sinew/flock/agents/walkers.h>
#include <sinew/flock/boids/flock.h>
#include <sinew/flock/gait/gait.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/crowd/crowd_file.h>
#include <sinew/sample/sample.h>
#include <sinew/skin/gpu/gpu_skinning.h>
#include <cmath>

#include <pipeline/sole_slip.h>
#include "support.h"

namespace {

using namespace sinew;

constexpr float tick = 1.0f / 30.0f;

// At one density: so many that a boid sees about a dozen.
Flock flock_of(size_t count) {
    FlockRules rules;
    const double half = 0.5 * 1.7 * std::cbrt(static_cast<double>(count));
    Random random(1);
    std::vector<Boid> boids(count);
    for (size_t i = 0; i < count; ++i) {
        const double x = random.uniform(-half, half), y = random.uniform(-half, half), z = random.uniform(-half, half);
        boids[i].position = Vec3d(x, y, z).cast<float>();
        boids[i].velocity = Vec3(0.3f * std::sin(static_cast<float>(i)), 0.0f, 3.0f);
        boids[i].id = static_cast<uint32_t>(i);
    }
    FlockScene scene;
    scene.bounds.add(Vec3::Constant(static_cast<float>(-half))),
        scene.bounds.add(Vec3::Constant(static_cast<float>(half)));
    return {std::move(boids), rules, scene};
}

double boid_nanoseconds(size_t count, int steps) {
    Flock flock = flock_of(count);
    flock.step(tick);
    const double best = bench::best_seconds(steps, [&] { flock.step(tick); });
    return 1e9 * best / static_cast<double>(count);
}

// A square with people who cross it, at one for every two square metres.
Walkers walkers_of(size_t count) {
    WalkScene scene;
    const float half = 0.5f * 1.4f * std::sqrt(static_cast<float>(count));
    for (int i = 0; i < 8; ++i) {
        const float angle = 2.0f * pi * static_cast<float>(i) / 8.0f;
        scene.goals.push_back({2.0f * half * Vec2(std::sin(angle), std::cos(angle)), 2.0f, (i + 4) % 8});
    }
    std::vector<Walker> walkers(count);
    const auto side = static_cast<size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    for (size_t i = 0; i < count; ++i) {
        walkers[i].position =
            Vec2(-half + 1.4f * static_cast<float>(i % side), -half + 1.4f * static_cast<float>(i / side));
        walkers[i].goal = static_cast<uint32_t>(i * 7 % 8);
    }
    return {std::move(walkers), std::move(scene)};
}

}  // namespace

int main(int argc, char** argv) {
    bench::Table table;
    const double few = boid_nanoseconds(10'000, 15), many = boid_nanoseconds(1'000'000, 4);
    table.add("a boid's step, 10,000 of them", few, "ns", 1000);
    table.add("a boid's step, 1,000,000 of them", many, "ns", 1500);
    table.add("the second to the first", many / few, "×", 1.5);

    for (const size_t count : {size_t{1'000}, size_t{10'000}}) {
        Walkers walkers = walkers_of(count);
        for (int i = 0; i < 15; ++i) walkers.step(tick);
        const double best = bench::best_seconds(10, [&] { walkers.step(tick); });
        table.add(fmt::format("a walker's decision, {} of them", count), 1e9 * best / static_cast<double>(count), "ns",
                  5000);
    }

    auto moved = animate(make_rigged_humanoid(), {"run", "walk", "idle"});
    if (!moved) return std::fprintf(stderr, "no motion for the sample\n"), 1;
    const Character& hero = moved->character;
    const auto gait = GroundGait::create(hero.skeleton, hero.clips[1], &hero.clips[2], &hero.clips[0]);
    if (!gait) return std::fprintf(stderr, "no gait for the sample\n"), 1;
    std::vector<CompiledClip> compiled;
    for (const GaitCycle& cycle : gait->cycles()) compiled.push_back(*compile_clip(cycle.clip, hero.skeleton));
    std::vector<const CompiledClip*> clips;
    for (const CompiledClip& clip : compiled) clips.push_back(&clip);
    const Skin& skin = hero.skins.at(0);
    const Crowd crowd(hero.skeleton, clips, skin.joints, skin.inverse_bind);
    constexpr size_t bodies = 10'000;
    std::vector<GaitState> states;
    std::vector<CrowdLayer> layers(bodies * most_gait_clips);
    // Palettes are kept as dual quaternions, for upload; as matrices they are there for some bodies at a time.
    constexpr size_t at_once = 64;
    const size_t floats_each = 4 * gpu_rows_per_joint(GpuPalette::dual_quaternions) * crowd.skin_size();
    std::vector<Affine> some(at_once * crowd.skin_size()), places(bodies);
    std::vector<float> palettes(bodies * floats_each);
    Random random(2);
    for (size_t i = 0; i < bodies; ++i) {
        states.push_back(gait->begin(Vec2(static_cast<float>(i), 0.0f), 0.0f, static_cast<float>(random.uniform())));
        states[i].speed = gait->top_speed() * static_cast<float>(random.uniform());
    }
    const double frame = bench::best_seconds(10, [&] {
        for (size_t i = 0; i < bodies; ++i) {
            GaitState& state = states[i];
            gait->advance(state, state.place + Vec2(0.0f, state.speed * tick), 0.0f, tick);
            const auto played = gait->layers(state);
            std::copy(played.begin(), played.end(), layers.begin() + static_cast<long>(i * most_gait_clips));
            places[i] = gait->world_from_body(state);
        }
        for (size_t first = 0; first < bodies; first += at_once) {
            const size_t count = std::min(at_once, bodies - first);
            const auto matrices = std::span(some).first(count * crowd.skin_size());
            crowd.palettes(std::span(layers).subspan(first * most_gait_clips, count * most_gait_clips), most_gait_clips,
                           matrices);
        }
    });
    const double written_out = bench::best_seconds(5, [&] {
        write_gpu_palette(GpuPalette::dual_quaternions, some, std::span(palettes).first(at_once * floats_each));
    });
    table.add(fmt::format("a body's frame, {} joints: gait, sample, blend, palette", crowd.skin_size()),
              1e9 * frame / bodies, "ns", 5000);
    table.add("its palette as dual quaternions", 1e9 * written_out / at_once, "ns");
    GroundGait::Scratch scratch;
    Pose pose;
    const double held = bench::best_seconds(5, [&] {
        for (size_t i = 0; i < 500; ++i) {
            GaitState& state = states[i];
            gait->advance(state, state.place + Vec2(0.0f, state.speed * tick), 0.0f, tick);
            gait->pose(state, tick, pose, scratch);
        }
    });
    table.add("the same as a plain pose, with feet held", 1e9 * held / 500, "ns");
    const size_t state = sizeof(Walker) + sizeof(GaitState) + most_gait_clips * sizeof(CrowdLayer) + sizeof(Affine);
    table.add("memory of a body: walker, gait, layers, place", static_cast<double>(state), "B", 2048);
    const size_t shared = some.size() * sizeof(Affine) / bodies;
    table.add("the same with its palette as dual quaternions",
              static_cast<double>(state + floats_each * sizeof(float) + shared), "B", 2048);

    const Character one = make_rigged_humanoid();
    const auto written = make_crowd(one, {.count = bodies, .seconds = 1.5f});
    if (!written) return std::fprintf(stderr, "no crowd of the sample\n"), 1;
    const test::SoleSlip slip = test::measure_sole_slip(written->character, one, bodies, 30.0f);
    table.add(fmt::format("a written crowd of {}: contacts of soles with the ground", bodies),
              static_cast<double>(slip.contacts), "");
    table.add("the worst of them slides by", 1000.0 * slip.worst, "mm", 10);
    table.add("their mean", 1000.0 * slip.sum / static_cast<double>(std::max<size_t>(slip.contacts, 1)), "mm");
    return table.finish(argc, argv);
}
