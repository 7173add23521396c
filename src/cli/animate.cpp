// sinew animate: the main job — a character and a motion in, a moving character out.
#include <sinew/core/file.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/bake.h>
#include <sinew/render/encode.h>
#include <sinew/render/preview.h>
#include <chrono>
#include <nlohmann/json.hpp>

#include "motion_options.h"
#include "skinning_options.h"

namespace sinew::cli {
namespace {

struct Options {
    std::string input, output, preview, report;
    bool in_place = false;
    MotionOptions how;
    DeformOptions deform;  // of the preview
};

// Seconds per stage, for the report.
class Stopwatch {
public:
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - last_).count();
        last_ = now;
        return seconds;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

Result<Bytes> make_preview(const Common& common, const Character& character, const Options& how) {
    constexpr float fps = 24.0f;
    const std::string extension = std::filesystem::path(how.preview).extension().string();
    const Clip& clip = character.clips.front();
    PreviewOptions options{.width = 480,
                           .height = 480,
                           .samples = 3,
                           .clip = &clip,
                           .skinning = how.deform.skinning,
                           .delta_mush = how.deform.delta_mush,
                           .progress = make_progress(common)};
    options.times = extension == ".png" ? std::vector<float>{0.5f * duration(clip)} : loop_times(clip, fps);
    SINEW_TRY(const auto pictures, render_preview(character, options));
    return encode_pictures(pictures, fps, extension.empty() ? "" : extension.substr(1));
}

int run(const Common& common, const Options& options) {
    std::vector<std::string> inputs = options.how.motions;
    inputs.push_back(options.input);
    for (const std::string& output : {options.output, options.preview, options.report}) {
        if (output.empty()) continue;
        if (const auto ok = check_output(output, inputs, options.in_place && output == options.output); !ok) {
            return report_error(output, ok.error());
        }
    }
    Stopwatch stopwatch;
    nlohmann::ordered_json seconds;
    auto character = read_input(common, options.input);
    if (!character) return exit_failed;
    seconds["read"] = stopwatch.lap();
    const auto results = put_motions(common, options.how, *character);
    if (!results) return exit_failed;
    seconds["retarget"] = stopwatch.lap();

    // Everything is made before anything is written: a failure leaves no output at all.
    auto files = encode_character(*character, options.output);
    if (!files) return report_error(options.output, files.error());
    seconds["write"] = stopwatch.lap();
    if (!options.preview.empty()) {
        auto preview = make_preview(common, *character, options);
        if (!preview) return report_error(options.preview, preview.error());
        files->insert(files->begin(), {options.preview, *std::move(preview)});
        seconds["preview"] = stopwatch.lap();
    }
    std::vector<std::string> warnings = character->warnings;
    for (const RetargetResult& result : *results)
        warnings.insert(warnings.end(), result.warnings.begin(), result.warnings.end());
    std::vector<std::string> clips;
    for (const RetargetResult& result : *results) clips.push_back(result.clip.name);
    const nlohmann::ordered_json report = {{"input", options.input}, {"output", options.output},
                                           {"clips", clips},         {"retarget", retarget_json(*results)},
                                           {"seconds", seconds},     {"warnings", warnings}};
    if (!options.report.empty()) {
        const std::string text = report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
        const ByteSpan bytes = as_byte_span(text);
        files->insert(files->begin(), {options.report, Bytes(bytes.begin(), bytes.end())});
    }
    if (const auto written = write_files(*files); !written) return report_error(options.output, written.error());
    if (common.json) print_json(report);
    return exit_done;
}

}  // namespace

void add_animate(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb =
        add_verb(program, "animate", "Put a motion on a character and write it, ready for an engine.",
                 {"sinew animate hero.glb --motion walk.bvh -o walking.glb",
                  "sinew animate hero.glb --motion walk -o walking.glb --preview walking.webp",
                  "sinew animate hero.vrm --motion idle --motion run --motion jump -o hero.glb --report hero.json"});
    verb.add_option("CHARACTER", options->input, "the character: glb, gltf, vrm, fbx, …")->required();
    verb.add_option("--motion", options->how.motions,
                    "a motion file, or a built-in motion: walk, run, idle, wave, jump, …; may be given several times")
        ->required()
        ->allow_extra_args(false);
    verb.add_option("-o,--output", options->output, ".glb or .gltf; the motion is its first clip")->required();
    verb.add_option("--preview", options->preview, "also render the first motion: .webp, .gif or .png");
    verb.add_option("--report", options->report, "also write what was done as JSON");
    add_motion_options(verb, options->how);
    add_skinning_options(verb, options->deform);
    verb.add_flag("--in-place", options->in_place, "allow the output to replace the input");
    verb.callback([&program, options] { program.run = [&program, options] { return run(program.common, *options); }; });
}

}  // namespace sinew::cli
