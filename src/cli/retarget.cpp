// sinew retarget: a motion of one skeleton on another.
#include "motion_options.h"

namespace sinew::cli {

void add_retarget(Program& program) {
    auto job = std::make_shared<RetargetJob>();
    Verb verb = program.add_verb("retarget", "Put a motion of one skeleton on another.",
                                 {"sinew retarget walk.bvh --onto hero.glb -o walking.glb",
                                  "sinew retarget dance.amc --onto hero.vrm -o dance.glb",
                                  "sinew retarget run.fbx --onto hero.glb -o run.bvh --in-place-root"},
                                 [&program, job] {
                                     job->listener = make_listener(program.common);
                                     return finish(program.common, retarget_file(*job));
                                 });
    verb.add("MOTION", job->motion, "a motion file, or a built-in motion").required();
    verb.add("--onto", job->character, "the character to move").required();
    verb.add("-o,--output", job->output,
             ".glb or .gltf: the character with the motion as its first clip; .bvh: the motion alone")
        .required();
    add_motion_options(verb, job->options);
    verb.add_flag("--in-place", job->replace_input, "allow the output to replace an input");
}

}  // namespace sinew::cli
