// sinew weights: edit the weights of a rigged character.
#include <sinew/io/write.h>
#include <sinew/pipeline/edit_weights.h>
#include <nlohmann/json.hpp>

#include "cli.h"

namespace sinew::cli {
namespace {

struct Options {
    std::string input, output, report, transfer_from, mirror;
    int smooth = 0, influences = 0;
    float prune = 0.0f;
    bool in_place = false;
};

nlohmann::ordered_json edit_json(const Options& options, const EditWeightsReport& edited) {
    return {{"input", options.input},
            {"output", options.output},
            {"vertices", edited.vertices},
            {"changed", edited.changed},
            {"max_influences", edited.max_influences},
            {"unweighted_vertices", edited.unweighted_vertices},
            {"transferred", edited.transferred},
            {"mirror_unmatched", edited.mirror_unmatched},
            {"warnings", edited.warnings}};
}

int run(const Common& common, const Options& options) {
    std::vector<std::string> inputs = {options.input};
    if (!options.transfer_from.empty()) inputs.push_back(options.transfer_from);
    for (const std::string& output : {options.output, options.report}) {
        if (output.empty()) continue;
        if (const auto ok = check_output(output, inputs, options.in_place && output == options.output); !ok)
            return report_error(output, ok.error());
    }
    auto character = read_input(common, options.input);
    if (!character) return exit_failed;
    EditWeightsOptions how{.smooth = options.smooth, .prune = options.prune, .influences = options.influences};
    if (!options.mirror.empty()) how.mirror = options.mirror[0] - 'x';
    Character source;
    if (!options.transfer_from.empty()) {
        auto read = read_input(common, options.transfer_from);
        if (!read) return exit_failed;
        source = *std::move(read);
        how.transfer_from = &source;
    }
    const auto edited = edit_weights(*character, how);
    if (!edited) return report_error(options.input, edited.error());
    report_warnings(common, options.input, edited->warnings);
    auto files = encode_character(*character, options.output);
    if (!files) return report_error(options.output, files.error());
    const nlohmann::ordered_json report = edit_json(options, *edited);
    if (!options.report.empty()) files->insert(files->begin(), json_file(options.report, report));
    if (const auto written = write_files(*files); !written) return report_error(options.output, written.error());
    if (common.json) print_json(report);
    return exit_done;
}

}  // namespace

void add_weights(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb =
        add_verb(program, "weights", "Edit skin weights: transfer, mirror, smooth, prune, limit; in this order.",
                 {"sinew weights hero.glb -o smooth.glb --smooth 2 --influences 4",
                  "sinew weights hero.glb -o even.glb --mirror x",
                  "sinew weights coat.glb -o dressed.glb --transfer-from body.glb"});
    verb.add_option("IN", options->input, "a character with a skin")->required();
    verb.add_option("-o,--output", options->output, ".glb or .gltf")->required();
    verb.add_option("--transfer-from", options->transfer_from,
                    "a character whose weights to take, where the surfaces meet");
    verb.add_option("--mirror", options->mirror, "x, y or z: the positive side onto the negative one")
        ->check(CLI::IsMember({"x", "y", "z"}));
    verb.add_option("--smooth", options->smooth, "passes of smoothing")->check(CLI::Range(0, 1000));
    verb.add_option("--prune", options->prune, "drop weights below this")->check(CLI::Range(0.0f, 1.0f));
    verb.add_option("--influences", options->influences, "joints per vertex, at most")->check(CLI::Range(1, 16));
    verb.add_option("--report", options->report, "also write what was done as JSON");
    verb.add_flag("--in-place", options->in_place, "allow the output to replace an input");
    verb.callback([&program, options] { program.run = [&program, options] { return run(program.common, *options); }; });
}

}  // namespace sinew::cli
