// sinew simulate: a scene file in, what moves by itself out.
#include <sinew/pipeline/simulate/simulate.h>

#include <fmt/format.h>

#include "cli.h"

namespace sinew::cli {
namespace {

void print_simulation(const SimulateReport& report) {
    if (report.spheres > 0)
        print_line(fmt::format("{} spheres, overlapping by {:.2f} % of a radius at most in the end", report.spheres,
                               100.0 * report.worst_overlap));
    for (const ClothReport& c : report.cloths)
        print_line(fmt::format(
            "{}: {} vertices, stretched by {:.1f} % at most, {:.1f} mm deep in the skin at most; as {} joints within "
            "{:.1f} mm (mean {:.2f} mm)",
            c.name, c.vertices, 100.0 * c.worst_stretch, c.deepest_mm, c.joints, c.fit_error_mm, c.fit_mean_mm));
    print_line(
        fmt::format("{}: {} frames, {} joints, {} keys", report.output, report.frames, report.joints, report.keys));
}

int run(const SimulateJob& job, const Common& common) {
    const auto done = simulate_file(job);
    if (done && !common.json && !common.quiet && job.output != "-") print_simulation(*done);
    return finish(common, done);
}

}  // namespace

void add_simulate(Program& program) {
    auto job = std::make_shared<SimulateJob>();
    Verb verb = program.add_verb(
        "simulate",
        "Run a scene of spheres, cloth and particles, and write it as ordinary animation. docs/simulate.md says what a "
        "scene holds.",
        {"sinew simulate pour.json -o pour.glb", "sinew simulate skirt.json -o skirt.glb --preview skirt.webp"},
        [&program, job] {
            job->listener = make_listener(program.common);
            return run(*job, program.common);
        });
    verb.add("SCENE", job->scene, "a scene, .json").required();
    verb.add("-o,--output", job->output, ".glb, .gltf or .fbx; the simulation is its first clip").required();
    verb.add("--preview", job->preview, "also render it: .webp, .gif or .png");
    verb.add("--report", job->report, "also write what was done as JSON");
}

}  // namespace sinew::cli
