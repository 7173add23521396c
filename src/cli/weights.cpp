// sinew weights: edit the weights of a rigged character.
#include <sinew/pipeline/edit_weights.h>

#include "cli.h"

namespace sinew::cli {
namespace {

struct Options {
    EditWeightsJob job;
    std::string mirror;
};

int run(const Common& common, Options& options) {
    if (!options.mirror.empty()) options.job.options.mirror = options.mirror[0] - 'x';
    options.job.listener = make_listener(common);
    return finish(common, edit_weights_file(options.job));
}

}  // namespace

void add_weights(Program& program) {
    auto options = std::make_shared<Options>();
    EditWeightsJob& job = options->job;
    Verb verb =
        program.add_verb("weights", "Edit skin weights: transfer, mirror, smooth, prune and limit them, in this order.",
                         {"sinew weights hero.glb -o smooth.glb --smooth 2 --influences 4",
                          "sinew weights hero.glb -o even.glb --mirror x",
                          "sinew weights coat.glb -o dressed.glb --transfer-from body.glb"},
                         [&program, options] { return run(program.common, *options); });
    verb.add("IN", job.input, "a character with a skin").required();
    verb.add("-o,--output", job.output, ".glb, .gltf, .vrm or .fbx").required();
    verb.add("--transfer-from", job.transfer_from, "take the weights of this character where the surfaces meet");
    verb.add("--mirror", options->mirror, "x, y or z: copy the positive side onto the negative one")
        .one_of({"x", "y", "z"});
    verb.add("--smooth", job.options.smooth, "passes of smoothing").between(0, 1000);
    verb.add("--prune", job.options.prune, "drop weights below this").between(0.0f, 1.0f);
    verb.add("--influences", job.options.influences, "joints per vertex, at most").between(1, 16);
    verb.add("--report", job.report, "also write what was done as JSON");
    verb.add_flag("--in-place", job.replace_input, "allow the output to replace an input");
}

}  // namespace sinew::cli
