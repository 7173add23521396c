// What simulating costs: particles against copying their state, cloth against one skinning pass of its body, spheres by
// count, in the processor's time; and the plots of docs/simulate.md. Usage: bench_simulate [--json FILE] [--picture
// FILE.png]
#include <sinew/character/character_deformer.h>
#include <sinew/core/file.h>
#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/physics/cloth/cloth.h>
#include <sinew/physics/integrate/integrator.h>
#include <sinew/physics/particles/particles.h>
#include <sinew/physics/spheres/sphere_world.h>
#include <sinew/render/plot/plot.h>
#include <sinew/sample/sample.h>
#include <cmath>

#include "support.h"

using namespace sinew;

namespace {

void bench_particles(bench::Table& table) {
    constexpr size_t count = 1'000'000;
    Random random(1);
    std::vector<float> state[6], copy[6];
    for (auto& values : state) {
        for (size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(random.uniform(-1, 1)));
    }
    for (auto& values : copy) values.resize(count);
    const Turbulence eddies = make_turbulence(1.0f, 0.5f, 3);
    const ParticleArrays arrays{
        state[0].data(), state[1].data(), state[2].data(), state[3].data(), state[4].data(), state[5].data(), count};
    ParticleStep plain{.seconds = 1e-4f, .drag = 0.5f, .floor = true, .floor_height = -1.0f, .bounce = 0.5f};
    ParticleStep windy = plain;
    windy.eddies = &eddies;
    const auto times =
        bench::race(1.0,
                    {[&] {
                         for (int k = 0; k < 6; ++k)
                             std::memcpy(copy[k].data(), state[k].data(), count * sizeof(float));
                     },
                     [&] { advance_particles(plain, arrays); }, [&] { advance_particles(windy, arrays); },
                     [&] { advance_particles_scalar(plain, arrays); }},
                    bench::Clock::cpu);
    table.add("a million particles, against copying their state", times[1] / times[0], "x", 1.3);
    table.add("the same in eddies", times[2] / times[0], "x", 4.0);
    table.add("copying the state itself", 1e3 * times[0], "ms");
    table.add("advancing it", 1e3 * times[1], "ms");
    table.add("the scalar twin", times[3] / times[0], "x");
}

Cloth make_cloth(bool self_collision) {
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    for (uint32_t j = 0; j < 100; ++j)
        for (uint32_t i = 0; i < 100; ++i) {
            positions.emplace_back(0.01f * static_cast<float>(i), -0.01f * static_cast<float>(j), 0.0f);
            if (i == 99 || j == 99) continue;
            const uint32_t a = j * 100 + i;
            triangles.insert(triangles.end(), {a, a + 100, a + 1, a + 1, a + 100, a + 101});
        }
    Cloth cloth(positions, triangles, {.self_collision = self_collision});
    for (uint32_t i = 0; i < 100; ++i) cloth.pin(i);
    return cloth;
}

void bench_cloth(bench::Table& table) {
    Cloth plain = make_cloth(false), self = make_cloth(true);
    std::vector<Collider> limbs;
    for (int k = 0; k < 12; ++k)
        limbs.push_back({.shape = ColliderShape::capsule,
                         .a = Vec3d(0.08 * k, -0.3, -0.1),
                         .b = Vec3d(0.08 * k, -0.8, -0.1),
                         .radius = 0.06,
                         .velocity_a = Vec3d(0, 0, 0.1),
                         .velocity_b = Vec3d(0, 0, 0.1)});
    const Character body = make_rigged_humanoid();
    CharacterDeformer deformer(body);
    std::vector<DeformedPrimitive> parts;
    Pose pose = rest_pose(body);
    // Capsules that swing through the sheet: each cloth has its own.
    std::vector<Collider> others = limbs;
    int frame = 0, other_frame = 0;
    const auto swing = [](Cloth& cloth, std::vector<Collider>& solid, int& at) {
        for (Collider& c : solid) c.velocity_a.z() = c.velocity_b.z() = 0.5 * std::cos(0.1 * at);
        cloth.step(1.0f / 60.0f, {.colliders = solid});
        for (Collider& c : solid) c = moved(c, 1.0 / 60.0);
        ++at;
    };
    const auto times = bench::race(2.0,
                                   {[&] { swing(plain, limbs, frame); }, [&] { swing(self, others, other_frame); },
                                    [&] {
                                        pose.local[1].translation.x() += 1e-4f;
                                        deformer.deform(pose, parts);
                                    }},
                                   bench::Clock::cpu);
    table.add("cloth of 10,000 vertices, 20 small steps, 12 capsules that move", 1e3 * times[0], "ms", 6.0);
    table.add("  self-collision, more", 1e3 * (times[1] - times[0]), "ms", 2.0);
    table.add("  in skinning passes of a body of 8,385 vertices", times[0] / times[2], "x");
    table.add("  per constraint and small step",
              1e9 * times[0] / (20.0 * static_cast<double>(plain.constraint_count())), "ns");
}

double pour_seconds(int count) {
    SphereWorld world;
    const double side = 0.06 * std::cbrt(static_cast<double>(count));
    for (const int k : {0, 2}) {
        world.colliders.push_back({.shape = ColliderShape::plane, .a = Vec3d::Zero(), .normal = Vec3d::Unit(k)});
        world.colliders.push_back(
            {.shape = ColliderShape::plane, .a = side * Vec3d::Unit(k), .normal = -Vec3d::Unit(k)});
    }
    world.colliders.push_back({.shape = ColliderShape::plane});
    Random random(2);
    const int row = static_cast<int>(side / 0.05);
    for (int i = 0; i < count; ++i)
        world.spheres.push_back({.position = Vec3d(0.03 + 0.05 * (i % row), 0.03 + 0.05 * (i / (row * row)),
                                                   0.03 + 0.05 * (i / row % row)) +
                                             0.002 * Vec3d(random.uniform(), random.uniform(), random.uniform()),
                                 .radius = 0.02,
                                 .bounce = 0.1});
    return bench::best_cpu_seconds(1, [&] {
        for (int i = 0; i < 90; ++i) world.step(1.0 / 60.0);
    });
}

// Poured, from the first touch to rest.
void bench_spheres(bench::Table& table) {
    const double few = pour_seconds(2000), many = pour_seconds(4000);
    table.add("spheres: 4,000 poured against 2,000", many / few, "x", 2.2);
    table.add("  per sphere and step", 1e6 * many / (90.0 * 4000), "us");
}

struct Problem {
    std::string name;
    Forces forces;
    MotionState start;
    double seconds;
};

// The error of each method over the length of the step, both as logarithms to base ten.
PlotPanel convergence_panel(const Problem& p) {
    const auto run = [&](Method method, int steps) {
        MotionState state = p.start;
        Integrator step(method, std::vector<double>(state.x.size(), 1.0));
        for (int i = 0; i < steps; ++i) step(p.forces, p.seconds / steps, state);
        return state;
    };
    const MotionState truth = run(Method::rk4, 100'000);
    PlotPanel panel{.title = p.name};
    for (int m = 0; m < method_count; ++m) {
        PlotLine line{.name = std::string(method_name(static_cast<Method>(m)))};
        for (int steps = 4096; steps >= 64; steps /= 2) {
            const MotionState end = run(static_cast<Method>(m), steps);
            double squared = 0.0;
            for (size_t k = 0; k < end.x.size(); ++k)
                squared += std::pow(end.x[k] - truth.x[k], 2) + std::pow(end.v[k] - truth.v[k], 2);
            line.x.push_back(std::log10(p.seconds / steps));
            line.y.push_back(std::log10(std::max(std::sqrt(squared), 1e-13)));
        }
        line.key_x = line.x, line.key_y = line.y;
        panel.lines.push_back(std::move(line));
    }
    return panel;
}

// The problems of tests/physics/integrate, each over the same time, so that steps are alike.
Picture convergence_plot() {
    constexpr double seconds = 2.0;
    const Problem problems[] = {
        {"spring", {.force = [](double, auto x, auto, auto f) { f[0] = -x[0]; }}, {.x = {1.0}, .v = {0.3}}, seconds},
        {"pendulum",
         {.force = [](double, auto x, auto, auto f) { f[0] = -9.81 * std::sin(x[0]); }},
         {.x = {2.0}, .v = {0.0}},
         seconds},
        {"orbit",
         {.force =
              [](double, auto x, auto, auto f) {
                  const double r2 = x[0] * x[0] + x[1] * x[1], r3 = r2 * std::sqrt(r2);
                  f[0] = -x[0] / r3, f[1] = -x[1] / r3;
              }},
         {.x = {1.0, 0.0}, .v = {0.0, 1.1}},
         seconds}};
    std::vector<PlotPanel> panels;
    for (const Problem& p : problems) panels.push_back(convergence_panel(p));
    return plot_panels(panels, 800, 900);
}

}  // namespace

int main(int argc, char** argv) {
    if (const std::string file = bench::argument(argc, argv, "--picture"); !file.empty()) {
        const auto bytes = encode_png(convergence_plot());
        return bytes && write_file(file, *bytes) ? 0 : 1;
    }
    set_thread_count(1);
    bench::Table table;
    bench_particles(table);
    bench_cloth(table);
    bench_spheres(table);
    return table.finish(argc, argv);
}
