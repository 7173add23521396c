// sinew retarget: a motion of one skeleton on another.
#include <sinew/io/write.h>
#include <nlohmann/json.hpp>

#include "motion_options.h"

namespace sinew::cli {
namespace {

struct Options {
    std::string motion, character, output;
    bool in_place = false;
    MotionOptions how;
};

int run(const Common& common, Options options) {
    if (const auto ok = check_output(options.output, {options.motion, options.character}, options.in_place); !ok) {
        return report_error(options.output, ok.error());
    }
    auto character = read_input(common, options.character);
    if (!character) return exit_failed;
    options.how.motions = {options.motion};
    const auto results = put_motions(common, options.how, *character);
    if (!results) return exit_failed;
    if (const auto written = write_character(*character, options.output); !written) {
        return report_error(options.output, written.error());
    }
    if (common.json) {
        print_json({{"input", options.motion},
                    {"onto", options.character},
                    {"output", options.output},
                    {"clip", results->front().clip.name},
                    {"retarget", retarget_json(*results)},
                    {"warnings", results->front().warnings}});
    }
    return exit_done;
}

}  // namespace

void add_retarget(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = add_verb(program, "retarget", "Put a motion of one skeleton on another.",
                              {"sinew retarget walk.bvh --onto hero.glb -o walking.glb",
                               "sinew retarget dance.amc --onto hero.vrm -o dance.glb",
                               "sinew retarget run.fbx --onto hero.glb -o run.bvh --in-place-root"});
    verb.add_option("MOTION", options->motion, "a motion file, or a built-in motion")->required();
    verb.add_option("--onto", options->character, "the character that shall move")->required();
    verb.add_option("-o,--output", options->output,
                    ".glb or .gltf: the character with the motion as its first clip; .bvh: the motion alone")
        ->required();
    add_motion_options(verb, options->how);
    verb.add_flag("--in-place", options->in_place, "allow the output to replace an input");
    verb.callback([&program, options] { program.run = [&program, options] { return run(program.common, *options); }; });
}

}  // namespace sinew::cli
