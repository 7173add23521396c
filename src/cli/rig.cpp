// sinew rig: fit a skeleton to a mesh, then bind it.
#include <sinew/core/file.h>
#include <sinew/io/write.h>
#include <nlohmann/json.hpp>

#include "rig_options.h"
#include "stopwatch.h"

namespace sinew::cli {
namespace {

struct Options {
    std::string input, output, report;
    bool in_place = false;
    RigCommand how;
};

int run(const Common& common, const Options& options) {
    for (const std::string& output : {options.output, options.report}) {
        if (output.empty()) continue;
        if (const auto ok = check_output(output, {options.input}, options.in_place && output == options.output); !ok)
            return report_error(output, ok.error());
    }
    if (const auto ok = check_skin_type(options.output); !ok) return report_error(options.output, ok.error());
    const auto how = parse_rig_options(common, options.how);
    if (!how) {
        report_error("rig", how.error());
        return how.error().code == ErrorCode::invalid_argument ? exit_usage : exit_failed;
    }
    Stopwatch stopwatch;
    nlohmann::ordered_json report = {{"input", options.input}, {"output", options.output}}, seconds;
    auto character = read_input(common, options.input);
    if (!character) return exit_failed;
    seconds["read"] = stopwatch.lap();
    const auto rigged = rig_character(*character, *how);
    if (!rigged) return report_error(options.input, rigged.error());
    report_warnings(common, options.input, rigged->rig.warnings);
    report_warnings(common, options.input, rigged->weights.warnings);
    report_rig(*rigged, character->skeleton, report, seconds);
    stopwatch.lap();
    auto files = encode_character(*character, options.output, {.humanoid = rigged->humanoid});
    if (!files) return report_error(options.output, files.error());
    seconds["write"] = stopwatch.lap();
    report["seconds"] = seconds;
    report["warnings"] = character->warnings;
    for (const auto* list : {&rigged->rig.warnings, &rigged->weights.warnings})
        for (const std::string& warning : *list) report["warnings"].push_back(warning);
    if (!options.report.empty()) files->insert(files->begin(), json_file(options.report, report));
    if (const auto written = write_files(*files); !written) return report_error(options.output, written.error());
    if (common.json) print_json(report);
    return exit_done;
}

}  // namespace

void add_rig(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = add_verb(
        program, "rig", "Fit a skeleton to a mesh and bind it.",
        {"sinew rig statue.obj -o statue.glb", "sinew rig statue.obj -o statue.glb --names mixamo --report statue.json",
         "sinew rig cat.ply -o cat.glb --template quadruped --joint head=0,0.4,0.6"});
    verb.add_option("MESH", options->input, "the mesh: glb, gltf, obj, fbx, ply, stl, …")->required();
    verb.add_option("-o,--output", options->output, ".glb, .gltf or .vrm")->required();
    add_rig_options(verb, options->how);
    verb.add_flag("--upright", options->how.upright, "also turn it to stand on y = 0, facing +Z");
    verb.add_option("--report", options->report, "also write what was done as JSON");
    verb.add_flag("--in-place", options->in_place, "allow the output to replace the input");
    verb.callback([&program, options] { program.run = [&program, options] { return run(program.common, *options); }; });
}

}  // namespace sinew::cli
