// sinew preview: a picture of a character, or a moving one.
#include <fmt/format.h>

#include <sinew/core/closest.h>
#include <sinew/core/file.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/bake.h>
#include <sinew/render/encode.h>
#include <sinew/render/preview.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "skinning_options.h"

namespace sinew::cli {
namespace {

struct Options {
    std::string input, output;
    std::string clip, size = "640x640", show = "skin", joint;
    std::optional<float> time;
    float fps = 0.0f;
    int views = 1;
    bool in_place = false;
    DeformOptions deform;
};

struct Size {
    int32_t width = 0, height = 0;
};

std::optional<int32_t> to_side(std::string_view text) {
    int32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Result<Size> parse_size(std::string_view text) {
    const size_t cross = text.find('x');
    const auto width = to_side(text.substr(0, cross));
    const auto height = cross == std::string_view::npos ? width : to_side(text.substr(cross + 1));
    if (!width || !height)
        return fail(ErrorCode::invalid_argument, fmt::format("\"{}\" is not a size; write it as 640x640", text));
    return Size{*width, *height};
}

Result<void> parse_show(std::string_view text, PreviewOptions& look) {
    static constexpr std::array<std::string_view, 4> known = {"skin", "weights", "bones", "wire"};
    look.skin = false;
    while (true) {
        const size_t plus = text.find('+');
        const std::string_view part = text.substr(0, plus);
        const auto found = std::find(known.begin(), known.end(), part);
        if (found == known.end())
            return fail(ErrorCode::invalid_argument, "--show: " + unknown_name("view", part, known));
        if (part == "skin") look.skin = true;
        if (part == "weights") look.weights = true;
        if (part == "bones") look.bones = true;
        if (part == "wire") look.wire = true;
        if (plus == std::string_view::npos) return {};
        text.remove_prefix(plus + 1);
    }
}

Result<int32_t> find_joint(const Character& character, const std::string& name) {
    const int32_t joint = character.skeleton.find(name);
    if (joint >= 0) return joint;
    const std::vector<std::string_view> names(character.skeleton.names().begin(), character.skeleton.names().end());
    return fail(ErrorCode::not_found, unknown_name("joint", name, names));
}

// A still shows the rest pose unless a clip or a time is asked for; a moving picture shows a clip, or goes round the
// character when there is none. Returns the frame rate.
Result<float> choose_times(const Character& character, const Options& options, bool moving, PreviewOptions& look) {
    const bool still = !moving || options.time.has_value();
    if (still) {
        if (!options.clip.empty() || options.time) {
            SINEW_TRY(look.clip, find_clip(character, options.clip));
        }
        look.times = {options.time.value_or(0.0f)};
        return 1.0f;
    }
    SINEW_TRY(look.clip, find_clip(character, options.clip));
    if (look.clip && duration(*look.clip) > 0.0f) {
        const bool gif = extension_of(options.output) == ".gif";
        const float fps = options.fps > 0.0f ? options.fps : gif ? 20.0f : 24.0f;
        if (!(duration(*look.clip) * fps < 1e5f))
            return fail(ErrorCode::limit_exceeded, "the clip is too long to be shown whole; lower --fps or use --time");
        look.times = loop_times(*look.clip, fps);
        return fps;
    }
    constexpr float seconds_per_turn = 4.0f;
    const float fps = options.fps > 0.0f ? options.fps : 15.0f;
    const size_t count = std::max<size_t>(2, static_cast<size_t>(std::lround(seconds_per_turn * fps)));
    look.times.assign(count, 0.0f);
    for (size_t i = 0; i < count; ++i)
        look.turns.push_back(2.0f * pi * static_cast<float>(i) / static_cast<float>(count));
    return fps;
}

struct Outcome {
    Bytes bytes;
    size_t frames = 0;
};

Result<Outcome> make(const Common& common, const Character& character, const Options& options) {
    const std::string extension = options.output == "-" ? ".png" : extension_of(options.output);
    if (extension != ".png" && extension != ".webp" && extension != ".gif")
        return fail(ErrorCode::unsupported,
                    fmt::format("cannot draw to \"{}\"; use .png, .webp or .gif", options.output));
    PreviewOptions look{.views = options.views,
                        .skinning = options.deform.skinning,
                        .delta_mush = options.deform.delta_mush,
                        .progress = make_progress(common)};
    SINEW_TRY(const Size size, parse_size(options.size));
    look.width = size.width;
    look.height = size.height;
    SINEW_TRY_VOID(parse_show(options.show, look));
    if (!options.joint.empty()) {
        SINEW_TRY(look.weight_joint, find_joint(character, options.joint));
        look.weights = true;
    }
    SINEW_TRY(const float fps, choose_times(character, options, extension != ".png", look));
    if (look.times.size() > 1) look.samples = 3;  // in motion nobody sees the difference, and it takes half the time
    SINEW_TRY(const auto pictures, render_preview(character, look));
    SINEW_TRY(Bytes bytes, encode_pictures(pictures, fps, extension.substr(1)));
    return Outcome{std::move(bytes), pictures.size()};
}

int run(const Common& common, const Options& options) {
    if (const auto ok = check_output(options.output, {options.input}, options.in_place); !ok) {
        return report_error(options.output, ok.error());
    }
    const auto character = read_input(common, options.input);
    if (!character) return exit_failed;
    const auto outcome = make(common, *character, options);
    if (!outcome) {
        const bool usage = outcome.error().code == ErrorCode::invalid_argument;
        const int code = report_error(options.input, outcome.error());
        return usage ? static_cast<int>(exit_usage) : code;
    }
    if (const auto written = write_file(options.output, outcome->bytes); !written) {
        return report_error(options.output, written.error());
    }
    if (common.json) {
        print_json({{"input", options.input},
                    {"output", options.output},
                    {"frames", outcome->frames},
                    {"bytes", outcome->bytes.size()}});
    }
    return exit_done;
}

}  // namespace

void add_preview(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = add_verb(
        program, "preview", "Draw a character: one picture, or a moving one.",
        {"sinew preview hero.glb -o hero.png", "sinew preview hero.glb -o hero.webp --clip walk",
         "sinew preview hero.glb -o sheet.png --views 4 --show skin+bones",
         "sinew preview hero.glb -o knee.png --joint leftLowerLeg", "sinew preview walk.bvh -o walk.gif --fps 15"});
    verb.add_option("CHARACTER", options->input, "the character, or a motion to show as a stick figure")->required();
    verb.add_option("-o,--output", options->output,
                    ".png for a still, .webp or .gif for a moving picture; - is PNG on stdout")
        ->required();
    verb.add_option("--clip", options->clip, "the clip's number or name; the first one when a clip is needed");
    verb.add_option("--time", options->time, "one moment of the clip, in seconds")->check(finite_number());
    verb.add_option("--fps", options->fps, "frames per second (24 for .webp, 20 for .gif)")
        ->check(CLI::Range(0.1f, 100.0f));
    verb.add_option("--size", options->size, "width and height in pixels, as 640x640");
    verb.add_option("--show", options->show, "skin, weights, bones, wire; combine with +");
    verb.add_option("--joint", options->joint, "one joint's weights as a heat map");
    verb.add_option("--views", options->views, "1, or 4 for a sheet: front, side, back, three-quarter")
        ->check(CLI::IsMember({1, 4}));
    add_skinning_options(verb, options->deform);
    verb.add_flag("--in-place", options->in_place, "allow the output to replace the input");
    verb.callback([&program, options] { program.run = [&program, options] { return run(program.common, *options); }; });
}

}  // namespace sinew::cli
