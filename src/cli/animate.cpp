// sinew animate: the main job — a character and a motion in, a moving character out.
#include <sinew/core/file.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/bake.h>
#include <sinew/render/encode.h>
#include <sinew/render/preview.h>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "motion_options.h"
#include "rig_options.h"
#include "skinning_options.h"
#include "stopwatch.h"

namespace sinew::cli {
namespace {

struct Options {
    std::string input, output, preview, report;
    bool in_place = false;
    MotionOptions how;
    DeformOptions deform;  // of the preview
    RigCommand rig;
};

Result<Bytes> make_preview(const Common& common, const Character& character, const Options& how) {
    constexpr float fps = 24.0f;
    const std::string extension = extension_of(how.preview);
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

// Something moves its meshes already: a skin, or the joints of a body that they hang on.
bool is_rigged(const Character& character) {
    return !character.skins.empty() || character.instances.empty() || recognise_humanoid(character.skeleton).is_body();
}

Result<RigCharacterReport> rig_input(const Common& common, const Options& options, Character& character,
                                     nlohmann::ordered_json& report, nlohmann::ordered_json& seconds) {
    SINEW_TRY(RigCharacterOptions how, parse_rig_options(common, options.rig));
    how.upright = true;                // motions walk on y = 0
    how.rig.grow_when_unsure = false;  // and need a body
    SINEW_TRY(RigCharacterReport rigged, rig_character(character, how));
    report_warnings(common, options.input, rigged.rig.warnings);
    report_warnings(common, options.input, rigged.weights.warnings);
    report_rig(rigged, character.skeleton, report, seconds);
    return rigged;
}

// The built-in motions are a person's.
Result<void> check_kind(const Options& options, RigKind kind) {
    const auto is_file = [](const std::string& motion) {
        return motion == "-" || std::filesystem::exists(motion) || !std::filesystem::path(motion).extension().empty();
    };
    if (kind == RigKind::biped || std::ranges::any_of(options.how.motions, is_file)) return {};
    return fail(
        ErrorCode::unsupported,
        fmt::format("looks like no biped (template {}), and {} is a person's motion; give --template biped if it "
                    "stands on two legs, or a motion file made for such a skeleton",
                    to_string(kind), options.how.motions.front()));
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
    if (const auto ok = check_skin_type(options.output); !ok) return report_error(options.output, ok.error());
    // Rigging takes seconds: a name that is neither a file nor a built-in motion is told before.
    for (const std::string& motion : options.how.motions) {
        if (motion == "-" || std::filesystem::exists(motion)) continue;
        if (const auto found = load_motion(motion, options.how.clip, {}); !found)
            return report_error(motion, found.error());
    }
    Stopwatch stopwatch;
    nlohmann::ordered_json seconds;
    auto character = read_input(common, options.input);
    if (!character) return exit_failed;
    seconds["read"] = stopwatch.lap();
    nlohmann::ordered_json report = {{"input", options.input}, {"output", options.output}};
    std::vector<std::string> warnings = character->warnings;
    WriteOptions write;
    if (!is_rigged(*character)) {
        const auto rigged = rig_input(common, options, *character, report, seconds);
        if (!rigged) {
            report_error(options.input, rigged.error());
            return rigged.error().code == ErrorCode::invalid_argument ? exit_usage : exit_failed;
        }
        warnings.insert(warnings.end(), rigged->rig.warnings.begin(), rigged->rig.warnings.end());
        warnings.insert(warnings.end(), rigged->weights.warnings.begin(), rigged->weights.warnings.end());
        write.humanoid = rigged->humanoid;
        stopwatch.lap();
        if (const auto ok = check_kind(options, rigged->rig.kind); !ok) return report_error(options.input, ok.error());
    }
    const auto results = put_motions(common, options.how, *character);
    if (!results) return exit_failed;
    seconds["retarget"] = stopwatch.lap();

    // Everything is made before anything is written: a failure leaves no output at all.
    auto files = encode_character(*character, options.output, write);
    if (!files) return report_error(options.output, files.error());
    seconds["write"] = stopwatch.lap();
    if (!options.preview.empty()) {
        auto preview = make_preview(common, *character, options);
        if (!preview) return report_error(options.preview, preview.error());
        files->insert(files->begin(), {options.preview, *std::move(preview)});
        seconds["preview"] = stopwatch.lap();
    }
    for (const RetargetResult& result : *results)
        warnings.insert(warnings.end(), result.warnings.begin(), result.warnings.end());
    std::vector<std::string> clips;
    for (const RetargetResult& result : *results) clips.push_back(result.clip.name);
    report["clips"] = clips;
    report["retarget"] = retarget_json(*results);
    report["seconds"] = seconds;
    report["warnings"] = warnings;
    if (!options.report.empty()) files->insert(files->begin(), json_file(options.report, report));
    if (const auto written = write_files(*files); !written) return report_error(options.output, written.error());
    if (common.json) print_json(report);
    return exit_done;
}

}  // namespace

void add_animate(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = add_verb(
        program, "animate", "Put a motion on a character and write it, ready for an engine; rig it first if need be.",
        {"sinew animate statue.obj --motion walk -o walking.glb",
         "sinew animate hero.glb --motion walk.bvh -o walking.glb",
         "sinew animate hero.glb --motion walk -o walking.glb --preview walking.webp",
         "sinew animate hero.vrm --motion idle --motion run --motion jump -o hero.glb --report hero.json"});
    verb.add_option("CHARACTER", options->input, "the character or bare mesh: glb, gltf, vrm, fbx, obj, …")->required();
    verb.add_option("--motion", options->how.motions,
                    "a motion file, or a built-in motion: walk, run, idle, wave, jump, …; may be given several times")
        ->required()
        ->allow_extra_args(false);
    verb.add_option("-o,--output", options->output, ".glb or .gltf; the motion is its first clip")->required();
    verb.add_option("--preview", options->preview, "also render the first motion: .webp, .gif or .png");
    verb.add_option("--report", options->report, "also write what was done as JSON");
    add_motion_options(verb, options->how);
    add_skinning_options(verb, options->deform);
    add_rig_options(verb, options->rig);
    verb.add_flag("--in-place", options->in_place, "allow the output to replace the input");
    verb.callback([&program, options] { program.run = [&program, options] { return run(program.common, *options); }; });
}

}  // namespace sinew::cli
