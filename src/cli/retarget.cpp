// sinew retarget: a motion of one skeleton on another.
#include <fmt/format.h>
#include <algorithm>

#include "options/motion_options.h"

namespace sinew::cli {
namespace {

// Which joint moves which, as a table of three columns.
void print_map(const std::vector<MatchReport>& map) {
    size_t source = 6, target = 9;
    for (const MatchReport& match : map) {
        source = std::max(source, match.source.size());
        target = std::max(target, match.target.size());
    }
    print_line(fmt::format("{:<{}}  {:<{}}  matched by", "motion", source, "character", target));
    for (const MatchReport& match : map)
        print_line(fmt::format("{:<{}}  {:<{}}  {}", match.source, source, match.target, target, match.by));
}

int run(const RetargetJob& job, const Common& common) {
    const auto done = retarget_file(job);
    if (done && !common.json && !common.quiet && job.output != "-") print_map(done->motion.map);
    return finish(common, done);
}

}  // namespace

void add_retarget(Program& program) {
    auto job = std::make_shared<RetargetJob>();
    Verb verb = program.add_verb("retarget", "Put a motion of one skeleton on another.",
                                 {"sinew retarget walk.bvh --onto hero.glb -o walking.glb",
                                  "sinew retarget dance.amc --onto hero.vrm -o dance.glb",
                                  "sinew retarget run.fbx --onto hero.glb -o run.bvh --in-place-root"},
                                 [&program, job] {
                                     job->listener = make_listener(program.common);
                                     return run(*job, program.common);
                                 });
    verb.add("MOTION", job->motion, "a motion file, a folder of them, or a built-in motion").required();
    verb.add("--onto", job->character, "the character to move").required();
    verb.add("-o,--output", job->output,
             ".glb, .gltf or .fbx: the character with the motions as its first clips; .bvh: the first motion alone")
        .required();
    add_motion_options(verb, job->options);
    verb.add_flag("--in-place", job->replace_input, "allow the output to replace an input");
}

}  // namespace sinew::cli
