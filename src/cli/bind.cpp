// sinew bind: weights for a mesh and a skeleton.
#include <sinew/pipeline/bind_character.h>

#include "cli.h"

namespace sinew::cli {
namespace {

struct Options {
    BindJob job;
    std::string method = "auto";
};

int run(const Common& common, Options& options) {
    const auto method = parse_weight_method(options.method);
    if (!method) return report_option_error({method.error().code, method.error().message, "--weights"});
    options.job.options.method = *method;
    options.job.listener = make_listener(common);
    return finish(common, bind_file(options.job));
}

}  // namespace

void add_bind(Program& program) {
    auto options = std::make_shared<Options>();
    BindJob& job = options->job;
    Verb verb =
        program.add_verb("bind", "Compute skin weights for a mesh and a skeleton.",
                         {"sinew bind hero.obj --skeleton walk.bvh -o hero.glb",
                          "sinew bind hero.glb --skeleton rig.glb -o bound.glb --weights heat --report bound.json",
                          "sinew bind rigged.glb -o again.glb --bones -root,-tail_tip"},
                         [&program, options] { return run(program.common, *options); });
    verb.add("MESH", job.input, "the mesh: glb, gltf, obj, fbx, ply, stl, …").required();
    verb.add("--skeleton", job.skeleton,
             "a file whose skeleton stands in the mesh; default: the skeleton that the mesh is bound to already");
    verb.add("-o,--output", job.output, ".glb, .gltf, .vrm or .fbx").required();
    verb.add("--weights", options->method, "how: auto, heat, voxel, bbw, distance, rigid");
    verb.add("--influences", job.options.influences, "joints per vertex, at most").between(1, 16);
    verb.add("--bones", job.options.bones.choose,
             "joints that own skin: NAME,… only these; +NAME,… these too; -NAME,… all but these")
        .comma_separated()
        .one_per_use();
    verb.add("--report", job.report, "also write what was done as JSON");
    verb.add_flag("--in-place", job.replace_input, "allow the output to replace an input");
}

}  // namespace sinew::cli
