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
    std::vector<std::string> blend, add, poses, events, keep_poses;
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

// "NAME:WEIGHT", of which the weight may be left out.
Result<std::vector<PoseLayer>> parse_poses(const std::vector<std::string>& texts) {
    SINEW_TRY(const std::vector<MotionLayer> layers, parse_layers("--pose", texts, 1.0f));
    std::vector<PoseLayer> poses;
    for (const MotionLayer& layer : layers) poses.push_back({layer.motion, layer.weight});
    return poses;
}

// "NAME:TIME".
Result<std::vector<ClipEvent>> parse_moments(const char* option, const std::vector<std::string>& texts) {
    std::vector<ClipEvent> moments;
    for (const std::string& text : texts) {
        const size_t colon = text.rfind(':');
        const auto time =
            colon == std::string::npos ? std::nullopt : parse_number(std::string_view(text).substr(colon + 1));
        if (!time || *time < 0.0f || colon == 0)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("\"{}\" is not NAME:TIME in seconds; write hit:0.4", text), option);
        moments.push_back({*time, text.substr(0, colon)});
    }
    return moments;
}

Result<void> check_controls(const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
        if (const size_t equals = text.find('='); equals == std::string::npos || equals == 0)
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("\"{}\" is not NAME=VALUE; write smile=0.5, smile=0:0,0.5:1 or lean=0.3*sin(t)", text),
                "--control");
    return {};
}

void print_rows(const std::vector<ClipEditReport>& clips) {
    for (const ClipEditReport& row : clips)
        print_line(fmt::format("{:<32} {:>8.3f} s -> {:.3f} s {:>8} keys -> {}{}{}", row.clip, row.seconds_before,
                               row.seconds_after, row.keys_before, row.keys_after,
                               row.worst_error_mm > 0.0f ? fmt::format(", within {:.3f} mm", row.worst_error_mm) : "",
                               row.events > 0 ? fmt::format(", {} events", row.events) : ""));
}

int run(const Common& common, Options& options) {
    EditOptions& edit = options.job.options;
    const auto parse = [&]() -> Result<void> {
        SINEW_TRY_VOID(parse_trim(options.trim, edit));
        SINEW_TRY(edit.blend, parse_layers("--blend", options.blend, 0.5f));
        SINEW_TRY(edit.add, parse_layers("--add", options.add, 1.0f));
        SINEW_TRY(edit.poses, parse_poses(options.poses));
        SINEW_TRY(edit.events, parse_moments("--event", options.events));
        SINEW_TRY(options.job.keep_poses, parse_moments("--keep-pose", options.keep_poses));
        SINEW_TRY_VOID(check_controls(edit.controls));
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
        "Change clips: cut, loop, mirror, blend and layer them, use the animator's principles, controls and poses on "
        "them, and mark events. Of a strength, 0 changes nothing and 1 is a lot. What is asked for is done in the "
        "order "
        "of the list below.",
        {"sinew edit hero.glb -o cut.glb --trim 0.5:2 --loop", "sinew edit walk.bvh -o fast.bvh --speed 1.5 --fps 60",
         "sinew edit hero.glb -o cartoon.glb --anticipate 0.5 --exaggerate 0.6 --squash 0.4",
         "sinew edit hero.glb -o waving.glb --blend wave:1 --only upper", "sinew edit hero.glb run.bvh -o both.glb",
         "sinew edit hero.glb -o lean.glb --control lean=0.4 --control fist=0:0,0.5:1 --events steps"},
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
    verb.add("--controls", edit.control_file, "a JSON file of controls, driven keys and poses of your own");
    verb.add("--pose", options->poses, "NAME:WEIGHT: a pose of that file, mixed in; 1: only this").one_per_use();
    verb.add("--control", edit.controls,
             "NAME=VALUE: fist, lean, smile, … (`sinew info` lists them) to a number, keys such as 0:0,0.5:1 "
             "(time:value), or a formula of t")
        .one_per_use()
        .called("NAME=VALUE");
    verb.add_flag("--loop", edit.loop, "a cycle: the end fades into the beginning");
    verb.add("--fade", edit.fade, "seconds that --then and --loop take").between(0.0f, 60.0f).finite();
    verb.add_flag("--in-place-root", edit.in_place_root, "keep the body over its starting point");
    verb.add("--fps", edit.fps, "keys at this rate").between(1.0f, 1000.0f);
    verb.add("--events", edit.mark, "steps: mark each landing foot; none: drop all events").one_of({"steps", "none"});
    verb.add("--event", options->events, "NAME:TIME: an event at this second of the edited clip").one_per_use();
    verb.add("--optimize", edit.optimize_mm, "MM: fewer keys, nothing farther off than this").positive().called("MM");
    verb.add("--name", edit.name, "rename the clip");
    verb.add("--shapes-from", edit.shapes_from,
             "a face made from the same mesh: take its blend shapes and its clips of them");
    verb.add("--keep-pose", options->keep_poses,
             "NAME:TIME: with -o POSES.json: keep this moment as a pose for --controls")
        .one_per_use();
    verb.add_flag("--in-place", options->job.replace_input, "allow the output to replace an input");
}

}  // namespace sinew::cli
