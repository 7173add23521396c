// sinew preview: a picture of a character, or a moving one.
#include <sinew/core/closest.h>
#include <sinew/pipeline/bake.h>
#include <sinew/pipeline/edit/plot_file.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "options/skinning_options.h"

namespace sinew::cli {
namespace {

struct Options {
    PreviewJob job;
    std::string size, show = "skin", camera = "three-quarter", sheet;
};

std::optional<int32_t> parse_side(std::string_view text) {
    int32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// A cell of a sheet is smaller than a picture of its own, unless a size is asked for.
Result<void> parse_size(std::string_view text, bool sheet, PreviewOptions& look) {
    if (text.empty()) text = sheet ? "256x256" : "640x640";
    const size_t cross = text.find('x');
    const auto width = parse_side(text.substr(0, cross));
    const auto height = cross == std::string_view::npos ? width : parse_side(text.substr(cross + 1));
    const auto fits = [](std::optional<int32_t> side) {
        return side && *side >= min_picture_side && *side <= max_picture_side;
    };
    if (!fits(width) || !fits(height))
        return fail(ErrorCode::invalid_argument,
                    fmt::format("\"{}\" is not a size; write it as 640x640, each side {} to {}", text, min_picture_side,
                                max_picture_side),
                    "--size");
    look.width = *width;
    look.height = *height;
    return {};
}

Result<void> parse_sheet(std::string_view text, PreviewJob& job) {
    if (text.empty()) return {};
    constexpr int32_t most = 64;
    const size_t cross = text.find('x');
    const auto columns = parse_side(text.substr(0, cross));
    const auto rows = cross == std::string_view::npos ? std::optional(1) : parse_side(text.substr(cross + 1));
    if (!columns || !rows || *columns < 1 || *rows < 1 || *columns > most || *rows > most)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("\"{}\" is no sheet; write columns and rows as 6x2, each 1 to {}", text, most),
                    "--sheet");
    job.sheet_columns = *columns;
    job.sheet_rows = *rows;
    return {};
}

// A view by name, or "AZ,EL" or "AZ,EL,DISTANCE" in degrees.
Result<void> parse_camera(std::string_view text, PreviewCamera& camera) {
    static constexpr std::array<std::pair<std::string_view, PreviewCamera>, 6> views = {
        {{"front", {0.0f, radians(7.0f)}},
         {"side", {radians(90.0f), radians(7.0f)}},
         {"back", {radians(180.0f), radians(7.0f)}},
         {"right", {radians(-90.0f), radians(7.0f)}},
         {"top", {0.0f, radians(89.0f)}},
         {"three-quarter", {}}}};
    for (const auto& [name, view] : views)
        if (text == name) {
            camera = view;
            return {};
        }
    std::vector<float> numbers;
    for (std::string_view rest = text;;) {
        const size_t comma = rest.find(',');
        const std::string_view word = rest.substr(0, comma);
        float value = 0.0f;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) break;
        numbers.push_back(value);
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    const auto commas = static_cast<size_t>(std::ranges::count(text, ','));
    if (numbers.size() != commas + 1 || numbers.size() < 2 || numbers.size() > 3)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("\"{}\" is not a camera; choose front, side, right, back, top or three-quarter, or "
                                "write AZIMUTH,ELEVATION[,DISTANCE] in degrees, as 30,10 or 30,10,1.5",
                                text),
                    "--camera");
    camera = {radians(numbers[0]), radians(std::clamp(numbers[1], -89.0f, 89.0f)),
              numbers.size() == 3 ? numbers[2] : 1.0f};
    return {};
}

Result<void> parse_show(std::string_view text, PreviewOptions& look) {
    static constexpr std::array<std::string_view, 6> known = {"skin", "weights", "bones", "wire", "curves", "trail"};
    look.skin = false;
    while (true) {
        const size_t plus = text.find('+');
        const std::string_view part = text.substr(0, plus);
        if (std::find(known.begin(), known.end(), part) == known.end())
            return fail(ErrorCode::invalid_argument, unknown_name("view", part, known), "--show");
        if (part == "skin") look.skin = true;
        if (part == "weights") look.weights = true;
        if (part == "bones") look.bones = true;
        if (part == "wire") look.wire = true;
        if (plus == std::string_view::npos) return {};
        text.remove_prefix(plus + 1);
    }
}

bool is_plot(std::string_view show) {
    return show == "curves" || show == "trail";
}

int run(const Common& common, Options& options) {
    for (const auto& parsed :
         {parse_sheet(options.sheet, options.job), parse_size(options.size, !options.sheet.empty(), options.job.look),
          parse_camera(options.camera, options.job.look.camera),
          is_plot(options.show) ? Result<void>() : parse_show(options.show, options.job.look)})
        if (!parsed) return report_option_error(parsed.error());
    options.job.listener = make_listener(common);
    if (is_plot(options.show)) return finish(common, plot_file(options.job, options.show));
    return finish(common, preview_file(options.job));
}

}  // namespace

void add_preview(Program& program) {
    auto options = std::make_shared<Options>();
    PreviewJob& job = options->job;
    Verb verb = program.add_verb(
        "preview", "Draw a character: one picture, or a moving one.",
        {"sinew preview hero.glb -o hero.png", "sinew preview hero.glb -o hero.webp --clip walk",
         "sinew preview hero.glb -o sheet.png --views 4 --show skin+bones",
         "sinew preview hero.glb -o frames.png --clip walk --sheet 6x2 --camera side",
         "sinew preview hero.glb -o hand.png --focus leftHand --zoom 4",
         "sinew preview hero.glb -o walk.mp4 --clip walk", "sinew preview hero.glb -o knee.png --joint leftLowerLeg",
         "sinew preview walk.bvh -o walk.gif --fps 15"},
        [&program, options] { return run(program.common, *options); });
    verb.add("CHARACTER", job.input, "the character, or a motion to show as a stick figure").required();
    verb.add("-o,--output", job.output,
             ".png for a still; .webp or .gif for a moving picture, .mp4 or .webm where ffmpeg is installed; - is PNG "
             "on stdout")
        .required();
    verb.add("--clip", job.clip, "the clip's number or name; default: the first where a clip is needed");
    verb.add("--time", job.time, "one moment of the clip, in seconds").finite();
    verb.add("--fps", job.fps, "frames per second; default: 24, 20 for .gif").between(0.1f, 100.0f);
    verb.add("--size", options->size,
             "width and height in pixels; default: 640x640, 256x256 for each frame of a sheet");
    verb.add(
        "--camera", options->camera,
        "front, side, right, back, top, three-quarter, or AZIMUTH,ELEVATION[,DISTANCE] in degrees; a distance of 1 "
        "just fits");
    verb.add("--zoom", job.look.zoom, "enlarge the middle of the picture this many times").between(0.1f, 100.0f);
    verb.add("--focus", job.focus, "look at this joint, and go along with it");
    verb.add("--sheet", options->sheet, "frames of the clip side by side, as 6x2: columns and rows");
    verb.add(
        "--show", options->show,
        "skin, weights, bones, wire; combine with +. Or curves: what a clip does to --joint A,B; trail: their paths");
    verb.add("--joint", job.joint, "one joint's weights as a heat map");
    verb.add("--views", job.look.views, "1, or 4 for a sheet: front, side, back, three-quarter").one_of({1, 4});
    add_skinning_options(verb, job.look.skinning, job.look.delta_mush);
    verb.add_flag("--in-place", job.replace_input, "allow the output to replace the input");
}

}  // namespace sinew::cli
