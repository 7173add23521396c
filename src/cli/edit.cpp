// sinew edit: change clips.
#include <sinew/pipeline/edit/edit_clips.h>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "cli.h"

namespace sinew::cli {
namespace {

struct Options {
    EditJob job;
    std::string trim;
    std::vector<std::string> blend, add;
    std::string mask;
};

std::optional<float> parse_number(std::string_view text) {
    float value = 0.0f;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

// "1:3", "1:", ":3".
Result<void> parse_trim(const std::string& text, EditOptions& edit) {
    if (text.empty()) return {};
    const size_t colon = text.find(':');
    const std::string_view from = std::string_view(text).substr(0, colon);
    const std::string_view to =
        colon == std::string::npos ? std::string_view() : std::string_view(text).substr(colon + 1);
    if (!from.empty()) edit.trim_from = parse_number(from);
    if (!to.empty()) edit.trim_to = parse_number(to);
    const bool good = colon != std::string::npos && text.size() > 1 && (from.empty() || edit.trim_from) &&
                      (to.empty() || edit.trim_to);
    if (good) return {};
    return fail(ErrorCode::invalid_argument, fmt::format("\"{}\" is not FROM:TO in seconds; write 1:3, 1: or :3", text),
                "--trim");
}

// "FILE:0.5"; a name without a weight has `usual`.
Result<std::vector<MotionLayer>> parse_layers(const char* option, const std::vector<std::string>& texts, float usual) {
    std::vector<MotionLayer> layers;
    for (const std::string& text : texts) {
        const size_t colon = text.rfind(':');
        const auto weight =
            colon == std::string::npos ? std::nullopt : parse_number(std::string_view(text).substr(colon + 1));
        layers.push_back({weight ? text.substr(0, colon) : text, weight.value_or(usual)});
        if (layers.back().motion.empty())
            return fail(ErrorCode::invalid_argument, fmt::format("\"{}\" names no motion; write walk.glb:0.5", text),
                        option);
    }
    return layers;
}

void print_rows(const std::vector<ClipEditReport>& clips) {
    for (const ClipEditReport& row : clips)
        print_line(fmt::format("{:<32} {:>8.3f} s -> {:.3f} s {:>8} keys -> {}{}", row.clip, row.seconds_before,
                               row.seconds_after, row.keys_before, row.keys_after,
                               row.worst_error_mm > 0.0f ? fmt::format(", within {:.3f} mm", row.worst_error_mm) : ""));
}

int run(const Common& common, Options& options) {
    EditOptions& edit = options.job.options;
    const auto parse = [&]() -> Result<void> {
        SINEW_TRY_VOID(parse_trim(options.trim, edit));
        SINEW_TRY(edit.blend, parse_layers("--blend", options.blend, 0.5f));
        SINEW_TRY(edit.add, parse_layers("--add", options.add, 1.0f));
        return {};
    };
    if (const auto parsed = parse(); !parsed) return report_option_error(parsed.error());
    options.job.listener = make_listener(common);
    const auto done = edit_file(options.job);
    if (done && !common.json && !common.quiet && options.job.output != "-") print_rows(done->edit.clips);
    return finish(common, done);
}

void add_principles(Verb& verb, EditOptions& edit) {
    const auto add = [&](const char* name, float& value, const char* help) {
        verb.add(name, value, help).between(0.0f, 10.0f).finite();
    };
    add("--exaggerate", edit.exaggerate, "strength: poses go farther from the mean pose");
    add("--arcs", edit.arcs, "strength: joints swing in arcs");
    add("--anticipate", edit.anticipate, "strength: wind up before each movement");
    add("--follow", edit.follow, "strength: arms, head and tail lag behind what they hang on");
    add("--hold", edit.hold, "strength: nothing stands quite still");
    add("--secondary", edit.secondary, "strength: breathing and swaying on top");
    add("--squash", edit.squash, "strength: squash and stretch, volume kept");
    add("--slow-in-out", edit.slow_in_out, "strength: starts and ends slowly");
}

}  // namespace

void add_edit(Program& program) {
    auto options = std::make_shared<Options>();
    EditOptions& edit = options->job.options;
    Verb verb = program.add_verb(
        "edit",
        "Change clips: cut, loop, mirror, blend and layer them, and use the animator's principles on them. Of a "
        "strength, 0 "
        "changes nothing and 1 is a lot. What is asked for is done in the order of the list below.",
        {"sinew edit hero.glb -o cut.glb --trim 0.5:2 --loop", "sinew edit walk.bvh -o fast.bvh --speed 1.5 --fps 60",
         "sinew edit hero.glb -o cartoon.glb --anticipate 0.5 --exaggerate 0.6 --squash 0.4",
         "sinew edit hero.glb -o waving.glb --blend wave:1 --only upper", "sinew edit hero.glb run.bvh -o both.glb"},
        [&program, options] { return run(program.common, *options); });
    verb.add("IN", options->job.inputs, "a character or motion with clips; motions that come after it").required();
    verb.add("-o,--output", options->job.output,
             ".glb, .gltf, .vrm or .fbx: all of it with the edited clips; .bvh: one clip alone")
        .required();
    verb.add("--clip", edit.clip, "which clip to edit: number or name; default: all");
    verb.add("--trim", options->trim, "FROM:TO in seconds: keep this part").called("FROM:TO");
    verb.add_flag("--reverse", edit.reverse, "play it backwards");
    verb.add("--speed", edit.speed, "2: twice as fast").positive();
    verb.add_flag("--mirror", edit.mirror, "swap left and right");
    verb.add("--blend", options->blend, "MOTION:WEIGHT: mix in a file or built-in motion; 1: only this one")
        .one_per_use();
    verb.add("--add", options->add, "MOTION:WEIGHT: lay a motion on top, as it differs from its first frame")
        .one_per_use();
    verb.add("--only", edit.only,
             "where to blend, add and use principles: upper, lower, or joints (A,B) and all below them");
    verb.add("--then", edit.then, "a motion that comes after it, from where it ends").one_per_use();
    add_principles(verb, edit);
    verb.add_flag("--loop", edit.loop, "a cycle: the end fades into the beginning");
    verb.add("--fade", edit.fade, "seconds that --then and --loop take").between(0.0f, 60.0f).finite();
    verb.add_flag("--in-place-root", edit.in_place_root, "keep the body over its starting point");
    verb.add("--fps", edit.fps, "keys at this rate").between(1.0f, 1000.0f);
    verb.add("--optimize", edit.optimize_mm, "MM: fewer keys, nothing farther off than this").positive().called("MM");
    verb.add("--name", edit.name, "rename the clip");
    verb.add_flag("--in-place", options->job.replace_input, "allow the output to replace an input");
}

}  // namespace sinew::cli
