// sinew crowd: many of one character in one file, each on its own way.
#include <sinew/pipeline/crowd/crowd_file.h>

#include "cli.h"

namespace sinew::cli {
namespace {

struct Words {
    CrowdFileJob job;
    CrowdOptions options;
    int seed = 1;
    std::string kind = "walkers";
};

int run(const Common& common, Words& words) {
    words.options.seed = static_cast<uint64_t>(words.seed);
    words.options.kind = words.kind == "flock" ? CrowdKind::flock : CrowdKind::walkers;
    words.options.listener = make_listener(common);
    const auto done = crowd_file(words.job, words.options);
    if (!done && done.error().where.starts_with("--")) return report_option_error(done.error());
    return finish(common, done);
}

}  // namespace

void add_crowd(Program& program) {
    auto words = std::make_shared<Words>();
    CrowdFileJob& job = words->job;
    CrowdOptions& options = words->options;
    Verb verb = program.add_verb(
        "crowd",
        "Make a crowd of one character: people who walk about and keep out of each other's way, a flock, a school.",
        {"sinew crowd --character hero.glb --count 500 -o crowd.glb --preview crowd.webp",
         "sinew crowd --character hero.glb --count 60 --scene square.json -o square.glb",
         "sinew crowd --character eagle.glb --kind flock --count 200 -o flock.glb --preview flock.webp"},
        [&program, words] { return run(program.common, *words); });
    verb.add("--character", job.input, "the character or bare mesh").required();
    verb.add("--count", options.count, "how many (100)").between(1, 100'000);
    verb.add("--kind", words->kind, "walkers: on the ground; flock: in the air or in water")
        .one_of({"walkers", "flock"});
    verb.add("--motion", options.motion,
             "what they play: a motion file or a built-in motion (walk; flap or swim in a flock)");
    verb.add("-o,--output", job.output, ".glb, .gltf or .fbx; all share one mesh").required();
    verb.add("--preview", job.preview, "also render it: .webp, .gif or .png");
    verb.add("--scene", options.scene, "goals, obstacles and groups as JSON");
    verb.add("--seconds", options.seconds, "how long the clip is (4)").positive();
    verb.add("--fps", options.fps, "steps and keys per second (30)").positive();
    verb.add("--seed", words->seed, "another number, another crowd (1)").not_negative();
    verb.add("--report", job.report, "also write what was done as JSON");
}

}  // namespace sinew::cli
