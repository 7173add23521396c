// sinew bake: the deformed vertices at chosen times.
#include <sinew/pipeline/bake.h>

#include "options/skinning_options.h"

namespace sinew::cli {
namespace {

int run(const Common& common, BakeJob& job) {
    job.listener = make_listener(common);
    Common how = common;
    if (job.output == "-") how.json = false;  // the output is the JSON
    return finish(how, bake_file(job));
}

}  // namespace

void add_bake(Program& program) {
    auto job = std::make_shared<BakeJob>();
    Verb verb = program.add_verb(
        "bake", "Write the deformed vertices, in world space.",
        {"sinew bake hero.glb -o rest.json", "sinew bake hero.glb -o hero.json --clip walk --times 0,0.5,1",
         "sinew bake hero.glb -o frames.obj --clip 0 --fps 30", "sinew bake hero.glb -o vertexanim.glb --fps 15",
         "sinew bake hero.glb -o smooth.glb --skinning dqs --delta-mush 10"},
        [&program, job] { return run(program.common, *job); });
    verb.add("CHARACTER", job->input, "the character").required();
    verb.add("-o,--output", job->output, ".json, .obj or .glb; - is JSON on stdout").required();
    verb.add("--clip", job->clip, "the clip's number or name");
    const Option times = verb.add("--times", job->times, "seconds, separated by commas").comma_separated().finite();
    verb.add("--fps", job->fps, "frames per second over the whole clip").positive().excludes(times);
    add_skinning_options(verb, job->deform.skinning, job->deform.delta_mush);
    verb.add_flag("--in-place", job->replace_input, "allow the output to replace the input");
}

}  // namespace sinew::cli
