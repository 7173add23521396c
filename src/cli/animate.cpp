// sinew animate: the main job — a character or a bare mesh and a motion in, a moving character out.
#include <sinew/pipeline/animate.h>

#include "options/motion_options.h"
#include "options/rig_options.h"
#include "options/skinning_options.h"

namespace sinew::cli {
namespace {

struct Options {
    AnimateJob job;
    MotionOptions motion;
    RigWords rig;
    std::string secondary = "auto", cloth;
};

int run(const Common& common, const Options& options) {
    const auto rig = parse_rig_options(options.rig);
    if (!rig) return report_option_error(rig.error());
    return finish(common, animate_file(options.job, {.motion = options.motion,
                                                     .rig = *rig,
                                                     .secondary = options.secondary == "auto",
                                                     .cloth = options.cloth,
                                                     .listener = make_listener(common)}));
}

}  // namespace

void add_animate(Program& program) {
    auto options = std::make_shared<Options>();
    AnimateJob& job = options->job;
    Verb verb = program.add_verb(
        "animate", "Put a motion on a character and write it, ready for an engine. A bare mesh is rigged first.",
        {"sinew animate statue.obj --motion walk -o walking.glb",
         "sinew animate hero.glb --motion walk.bvh -o walking.glb",
         "sinew animate cow.obj --motion trot -o trotting.glb --preview trotting.webp",
         "sinew animate hero.vrm --motion idle --motion run --motion jump -o hero.glb --report hero.json"},
        [&program, options] { return run(program.common, *options); });
    verb.add("CHARACTER", job.input, "the character or bare mesh: glb, gltf, vrm, fbx, obj, …").required();
    verb.add("--motion", job.motions,
             "a motion file (bvh, fbx, glb, vrma, amc, …), a folder of them, or a built-in motion; repeat it for "
             "several. "
             "Built in are:\n" +
                 builtin_motion_lines())
        .required()
        .one_per_use();
    verb.add("-o,--output", job.output, ".glb, .gltf, .vrm or .fbx; the motion is its first clip").required();
    verb.add_print_flag(
        "--list-motions", [] { print_line(builtin_motion_lines()); }, "print the built-in motions by kind of body");
    verb.add("--preview", job.preview, "also render the first motion: .webp, .gif or .png");
    verb.add("--report", job.report, "also write what was done as JSON");
    verb.add("--secondary", options->secondary,
             "auto: hair, tails and the like swing (VRM's spring bones, or by name); off: not")
        .one_of({"auto", "off"});
    verb.add("--cloth", options->cloth,
             "NAME: this garment is simulated on the body, a node, mesh or material; auto: skirts, capes and the like");
    add_motion_options(verb, options->motion);
    add_skinning_options(verb, job.preview_skinning.skinning, job.preview_skinning.delta_mush);
    add_rig_options(verb, options->rig);
    verb.add_flag("--in-place", job.replace_input, "allow the output to replace the input");
}

}  // namespace sinew::cli
