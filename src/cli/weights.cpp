// sinew weights: edit the weights of a rigged character.
#include <sinew/io/write.h>
#include <sinew/pipeline/edit_weights.h>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "stopwatch.h"

namespace sinew::cli {
namespace {

struct Options {
    std::string input, output, report, transfer_from, mirror;
    int smooth = 0, influences = 0;
    float prune = 0.0f;
    bool in_place = false;
};

nlohmann::ordered_json edit_json(const Options& options, const EditWeightsReport& edited,
                                 const nlohmann::ordered_json& seconds, const std::vector<std::string>& warnings) {
    return {{"input", options.input},
            {"output", options.output},
            {"weights",
             {{"method", "edited"},
              {"max_influences", edited.max_influences},
              {"unweighted_vertices", edited.unweighted_vertices},
              {"largest_sum_error", edited.largest_sum_error}}},
            {"vertices", edited.vertices},
            {"changed", edited.changed},
            {"max_influences", edited.max_influences},
            {"unweighted_vertices", edited.unweighted_vertices},
            {"transferred", edited.transferred},
            {"mirror_unmatched", edited.mirror_unmatched},
            {"seconds", seconds},
            {"warnings", warnings}};
}

bool asks_for_anything(const Options& options) {
    return !options.transfer_from.empty() || !options.mirror.empty() || options.smooth > 0 || options.influences > 0 ||
           options.prune > 0.0f;
}

int run(const Common& common, const Options& options) {
    std::vector<std::string> inputs = {options.input};
    if (!options.transfer_from.empty()) inputs.push_back(options.transfer_from);
    for (const std::string& output : {options.output, options.report}) {
        if (output.empty()) continue;
        if (const auto ok = check_output(output, inputs, options.in_place && output == options.output); !ok)
            return report_error(output, ok.error());
    }
    if (const auto ok = check_skin_type(options.output); !ok) return report_error(options.output, ok.error());
    Stopwatch stopwatch;
    nlohmann::ordered_json seconds;
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
    seconds["read"] = stopwatch.lap();
    auto edited = edit_weights(*character, how);
    if (!edited && edited.error().where == "transfer")
        return report_error(options.transfer_from, {edited.error().code, edited.error().message, ""});
    if (!edited) return report_error(options.input, edited.error());
    seconds["edit"] = stopwatch.lap();
    if (!asks_for_anything(options)) edited->warnings.push_back("no edit was asked for; give --smooth, --mirror, …");
    report_warnings(common, options.input, edited->warnings);
    auto files = encode_character(*character, options.output);
    if (!files) return report_error(options.output, files.error());
    seconds["write"] = stopwatch.lap();
    std::vector<std::string> warnings = character->warnings;
    warnings.insert(warnings.end(), edited->warnings.begin(), edited->warnings.end());
    const nlohmann::ordered_json report = edit_json(options, *edited, seconds, warnings);
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
    verb.add_option("--prune", options->prune, "drop weights below this")
        ->check(CLI::Range(0.0f, 1.0f))
        ->check([](const std::string& text) { return text.find("nan") == 0 ? "should be a number" : std::string(); });
    verb.add_option("--influences", options->influences, "joints per vertex, at most")->check(CLI::Range(1, 16));
    verb.add_option("--report", options->report, "also write what was done as JSON");
    verb.add_flag("--in-place", options->in_place, "allow the output to replace an input");
    verb.callback([&program, options] { program.run = [&program, options] { return run(program.common, *options); }; });
}

}  // namespace sinew::cli
