// sinew rig: fit a skeleton to a mesh, then bind it.
#include "options/rig_options.h"

namespace sinew::cli {
namespace {

struct Options {
    RigJob job;
    RigWords words;
    bool upright = false;
};

int run(const Common& common, Options& options) {
    auto parsed = parse_rig_options(options.words);
    if (!parsed) return report_option_error(parsed.error());
    options.job.options = *std::move(parsed);
    options.job.options.upright = options.upright;
    options.job.listener = make_listener(common);
    return finish(common, rig_file(options.job));
}

}  // namespace

void add_rig(Program& program) {
    auto options = std::make_shared<Options>();
    RigJob& job = options->job;
    Verb verb = program.add_verb(
        "rig", "Fit a skeleton to a mesh and bind it.",
        {"sinew rig statue.obj -o statue.glb", "sinew rig statue.obj -o statue.glb --names mixamo --report statue.json",
         "sinew rig cat.ply -o cat.glb --template quadruped --joint head=0,0.4,0.6"},
        [&program, options] { return run(program.common, *options); });
    verb.add("MESH", job.input, "the mesh: glb, gltf, obj, fbx, ply, stl, …").required();
    verb.add("-o,--output", job.output, ".glb, .gltf, .vrm or .fbx").required();
    add_rig_options(verb, options->words);
    verb.add_flag("--upright", options->upright, "also turn it to stand on y = 0, facing +Z");
    verb.add("--report", job.report, "also write what was done as JSON");
    verb.add_flag("--in-place", job.replace_input, "allow the output to replace the input");
}

}  // namespace sinew::cli
