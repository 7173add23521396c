// sinew convert: between formats.
#include <sinew/pipeline/convert_file.h>

#include "cli.h"

namespace sinew::cli {

void add_convert(Program& program) {
    auto job = std::make_shared<ConvertJob>();
    Verb verb = program.add_verb("convert", "Convert between formats. What the output format can hold, it keeps.",
                                 {"sinew convert hero.fbx hero.glb", "sinew convert walk.bvh walk.glb",
                                  "sinew convert hero.glb hero.obj", "sinew convert hero.glb walk.bvh --clip 2"},
                                 [&program, job] {
                                     job->listener = make_listener(program.common);
                                     return finish(program.common, convert_file(*job));
                                 });
    verb.add("IN", job->input, "glb gltf vrm obj bvh asf amc fbx dae ply stl off").required();
    verb.add("OUT", job->output, "glb gltf vrm fbx obj bvh").required();
    verb.add("--clip", job->clip, "for formats that hold one motion: which one").not_negative();
    verb.add_flag("--in-place", job->replace_input, "allow the output to replace the input");
}

}  // namespace sinew::cli
