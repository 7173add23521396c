// sinew convert: between formats.
#include <sinew/io/write.h>
#include <nlohmann/json.hpp>

#include "cli.h"

namespace sinew::cli {
namespace {

struct Options {
    std::string input, output;
    int clip = 0;
    bool in_place = false;
};

int run(const Common& common, const Options& options) {
    if (const auto ok = check_output(options.output, {options.input}, options.in_place); !ok) {
        return report_error(options.output, ok.error());
    }
    const auto character = read_input(common, options.input);
    if (!character) return exit_failed;
    const auto written = write_character(*character, options.output, {.clip = options.clip});
    if (!written) return report_error(options.output, written.error());
    if (common.json) {
        print_json({{"input", options.input}, {"output", options.output}, {"warnings", character->warnings}});
    }
    return exit_done;
}

}  // namespace

void add_convert(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = add_verb(program, "convert", "Convert between formats; what the output format can hold, it keeps.",
                              {"sinew convert hero.fbx hero.glb", "sinew convert walk.bvh walk.glb",
                               "sinew convert hero.glb hero.obj", "sinew convert hero.glb walk.bvh --clip 2"});
    verb.add_option("IN", options->input, "glb gltf vrm obj bvh asf amc fbx dae ply stl off")->required();
    verb.add_option("OUT", options->output, "glb gltf obj bvh")->required();
    verb.add_option("--clip", options->clip, "for formats that hold one motion: which one")
        ->check(CLI::NonNegativeNumber);
    verb.add_flag("--in-place", options->in_place, "allow the output to replace the input");
    verb.callback([&program, options] { program.run = [&program, options] { return run(program.common, *options); }; });
}

}  // namespace sinew::cli
