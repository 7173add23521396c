// sinew bind: weights for a mesh and a skeleton.
#include <sinew/core/file.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/bind_character.h>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "stopwatch.h"
#include "weight_report.h"

namespace sinew::cli {
namespace {

struct Options {
    std::string input, skeleton, output, report, method = "auto";
    std::vector<std::string> bones;
    int influences = 4;
    bool in_place = false;
};

Result<WeightReport> bind_input(const Common& common, const Options& options, Character& character) {
    WeightOptions how{
        .influences = options.influences, .bones = {.choose = options.bones}, .progress = make_progress(common)};
    how.method = parse_weight_method(options.method).value_or(how.method);
    if (options.skeleton.empty()) return rebind_skin(character, how);
    auto rig = read_input(common, options.skeleton);
    if (!rig) return fail(Error{});  // it has been told
    auto added = add_skeleton(character, *rig);
    if (!added) {
        report_error(options.skeleton, added.error());
        return fail(Error{});  // it has been told
    }
    return bind_skin(character, added->joints, how, added->hints);
}

int run(const Common& common, const Options& options) {
    std::vector<std::string> inputs = {options.input};
    if (!options.skeleton.empty()) inputs.push_back(options.skeleton);
    for (const std::string& output : {options.output, options.report}) {
        if (output.empty()) continue;
        if (const auto ok = check_output(output, inputs, options.in_place && output == options.output); !ok)
            return report_error(output, ok.error());
    }
    if (const auto ok = check_skin_type(options.output); !ok) return report_error(options.output, ok.error());
    if (const auto method = parse_weight_method(options.method); !method) {
        report_error("--weights", method.error());
        return exit_usage;
    }
    Stopwatch stopwatch;
    nlohmann::ordered_json seconds;
    auto character = read_input(common, options.input);
    if (!character) return exit_failed;
    seconds["read"] = stopwatch.lap();
    const auto bound = bind_input(common, options, *character);
    if (!bound) return bound.error().message.empty() ? int{exit_failed} : report_error(options.input, bound.error());
    seconds["bind"] = stopwatch.lap();
    report_warnings(common, options.input, bound->warnings);
    auto files = encode_character(*character, options.output);
    if (!files) return report_error(options.output, files.error());
    seconds["write"] = stopwatch.lap();
    std::vector<std::string> warnings = character->warnings;
    warnings.insert(warnings.end(), bound->warnings.begin(), bound->warnings.end());
    const nlohmann::ordered_json report = {{"input", options.input},
                                           {"output", options.output},
                                           {"weights", weights_json(*bound, character->skeleton)},
                                           {"seconds", seconds},
                                           {"warnings", warnings}};
    if (!options.report.empty()) files->insert(files->begin(), json_file(options.report, report));
    if (const auto written = write_files(*files); !written) return report_error(options.output, written.error());
    if (common.json) print_json(report);
    return exit_done;
}

}  // namespace

void add_bind(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = add_verb(program, "bind", "Compute skin weights for a mesh and a skeleton.",
                              {"sinew bind hero.obj --skeleton walk.bvh -o hero.glb",
                               "sinew bind hero.glb --skeleton rig.glb -o bound.glb --weights heat --report bound.json",
                               "sinew bind rigged.glb -o again.glb --bones -root,-tail_tip"});
    verb.add_option("MESH", options->input, "the mesh: glb, gltf, obj, fbx, ply, stl, …")->required();
    verb.add_option("--skeleton", options->skeleton,
                    "a file with the skeleton, standing in the mesh; without it, the mesh's own is bound anew");
    verb.add_option("-o,--output", options->output, ".glb or .gltf")->required();
    verb.add_option("--weights", options->method, "how: auto, heat, voxel, bbw, distance, rigid");
    verb.add_option("--influences", options->influences, "joints per vertex, at most")->check(CLI::Range(1, 16));
    verb.add_option("--bones", options->bones, "joints that own skin: NAME,… only these; +NAME,… also; -NAME,… not")
        ->delimiter(',')
        ->allow_extra_args(false);
    verb.add_option("--report", options->report, "also write what was done as JSON");
    verb.add_flag("--in-place", options->in_place, "allow the output to replace an input");
    verb.callback([&program, options] { program.run = [&program, options] { return run(program.common, *options); }; });
}

}  // namespace sinew::cli
