#include <sinew/pipeline/edit/edit_clips.h>

#include <sinew/edit/join.h>
#include <sinew/edit/layers.h>
#include <sinew/edit/marks.h>
#include <sinew/edit/principles.h>
#include <sinew/edit/reduce.h>
#include <sinew/edit/root_motion.h>
#include <sinew/edit/timing.h>
#include <sinew/io/read.h>
#include <sinew/io/write.h>
#include <sinew/motion/mapping/body_part.h>
#include <sinew/pipeline/edit/control_body.h>
#include <sinew/pipeline/edit/step_events.h>
#include <sinew/pipeline/edit/take_shapes.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/job/report_json.h>
#include <sinew/pipeline/retarget_character.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>

#include <fmt/format.h>

namespace sinew {
namespace {

struct LayerClip {
    Clip clip;
    float weight = 1.0f;
};

// The other motions as clips of this character.
struct Layers {
    std::vector<LayerClip> blend, add;
    std::vector<Clip> then;
    JointMask mask;
    std::optional<ControlRig> rig;  // where controls, poses or driven keys are asked for
    std::vector<ControlTrack> controls;
    std::vector<std::pair<std::string, double>> poses;
};

size_t count_keys(const Clip& clip) {
    size_t keys = 0;
    for (const Track& track : clip.tracks) keys += track.times.size();
    return keys;
}

bool same_joints(const Skeleton& a, const Skeleton& b) {
    return a.parents() == b.parents() && a.names() == b.names();
}

Result<Clip> clip_for(const Character& character, const std::string& name, std::vector<std::string>& warnings) {
    SINEW_TRY(const MotionSource source, in_file(load_motion(name), name));
    if (!source.builtin && same_joints(source.skeleton, character.skeleton)) {
        Clip clip = source.clip;
        if (std::string warning = carry_expressions(source.clip, source.morphs, character, clip); !warning.empty())
            warnings.push_back(name + ": " + warning);
        return clip;
    }
    SINEW_TRY(RetargetResult result, in_file(retarget(source, character), name));
    for (const std::string& warning : result.warnings) warnings.push_back(name + ": " + warning);
    return std::move(result.clip);
}

bool has_controls(const EditOptions& o) {
    return !o.controls.empty() || !o.poses.empty() || !o.control_file.empty();
}

Result<void> load_controls(const Character& character, const EditOptions& options, Layers& layers) {
    if (!has_controls(options)) return {};
    SINEW_TRY(const ControlSet set, controls_for(character, options.control_file));
    SINEW_TRY(layers.rig, in_file(ControlRig::create(set, control_body(character)), options.control_file));
    for (const std::string& text : options.controls) {
        const size_t equals = std::min(text.find('='), text.size());
        const std::string name = text.substr(0, equals), value = text.substr(std::min(equals + 1, text.size()));
        SINEW_TRY(ControlTrack track, parse_control_track(name, value));
        SINEW_TRY_VOID(layers.rig->find(name));
        layers.controls.push_back(std::move(track));
    }
    for (const PoseLayer& layer : options.poses) layers.poses.emplace_back(layer.pose, layer.weight);
    return {};
}

Result<Layers> load_layers(const Character& character, const EditOptions& options, std::vector<std::string>& warnings) {
    Layers layers;
    for (const auto& [from, to] : {std::pair{&options.blend, &layers.blend}, {&options.add, &layers.add}})
        for (const MotionLayer& layer : *from) {
            SINEW_TRY(Clip clip, clip_for(character, layer.motion, warnings));
            to->push_back({std::move(clip), layer.weight});
        }
    for (const std::string& motion : options.then) {
        SINEW_TRY(Clip clip, clip_for(character, motion, warnings));
        layers.then.push_back(std::move(clip));
    }
    if (!options.only.empty()) {
        SINEW_TRY(const std::vector<int32_t> joints, find_part(character.skeleton, options.only));
        layers.mask.assign(character.skeleton.size(), 0.0f);
        for (const int32_t joint : joints) layers.mask[static_cast<size_t>(joint)] = 1.0f;
    }
    SINEW_TRY_VOID(load_controls(character, options, layers));
    return layers;
}

Result<Clip> mirrored(const Character& character, const Clip& clip) {
    MotionSource source;
    source.skeleton = character.skeleton;
    source.clip = clip;
    source.name = clip.name;
    const RetargetOptions how{
        .fps = static_cast<float>(clip_rate(clip)), .lock_feet = false, .mirror = true, .touch = false};
    SINEW_TRY(RetargetResult result, retarget(source, character, how));
    result.clip.name = clip.name;
    result.clip.source = clip.source;
    result.clip.events = clip.events;
    result.clip.floats = clip.floats;
    for (ClipEvent& event : result.clip.events) event.name = mirrored_event_name(event.name);
    return std::move(result.clip);
}

Result<void> mark_events(const EditOptions& o, const ClipBody& body, Clip& clip) {
    if (o.mark == "none") clip.events.clear();
    if (o.mark == "steps") {
        SINEW_TRY(const std::vector<ClipEvent> steps, find_steps(clip, body));
        for (const ClipEvent& step : steps) add_event(clip, step);
    }
    for (const ClipEvent& event : o.events) add_event(clip, event);
    return {};
}

Clip with_principles(Clip clip, const ClipBody& body, const EditOptions& o, const JointMask& mask) {
    clip = exaggerate(clip, body, o.exaggerate, mask);
    clip = arcs(clip, body, o.arcs, mask);
    clip = anticipate(clip, body, o.anticipate, mask);
    clip = follow_through(clip, body, o.follow, mask);
    clip = moving_holds(clip, body, o.hold, mask);
    clip = secondary_action(clip, body, o.secondary, mask);
    clip = squash_and_stretch(clip, body, o.squash);
    return slow_in_and_out(clip, body, o.slow_in_out);
}

Result<Clip> edited(const Character& character, Clip clip, const EditOptions& o, const Layers& layers) {
    const ClipBody body{character.skeleton, rest_pose(character)};
    if (o.trim_from || o.trim_to) {
        SINEW_TRY(clip, trim(clip, o.trim_from.value_or(0.0f), o.trim_to.value_or(INFINITY)));
    }
    if (o.reverse) clip = reverse(clip);
    if (o.speed != 1.0f) clip = change_speed(clip, o.speed);
    if (o.mirror) {
        SINEW_TRY(clip, mirrored(character, clip));
    }
    for (const LayerClip& layer : layers.blend) clip = blend_clips(clip, layer.clip, body, layer.weight, layers.mask);
    for (const LayerClip& layer : layers.add) clip = add_layer(clip, layer.clip, body, layer.weight, layers.mask);
    for (const Clip& next : layers.then) clip = concatenate(clip, next, body, o.fade);
    clip = with_principles(std::move(clip), body, o, layers.mask);
    if (layers.rig) {
        SINEW_TRY(clip, layers.rig->play(clip, layers.controls, layers.poses));
    }
    if (o.loop) clip = loop_clip(clip, body, o.fade);
    if (o.in_place_root) clip = extract_root_motion(clip, body).clip;
    if (o.fps > 0.0f) clip = resample(clip, body, o.fps);
    if (!o.name.empty()) clip.name = o.name;
    SINEW_TRY_VOID(mark_events(o, body, clip));
    return clip;
}

// BVH and ASF do not say what their numbers are. Where a body would be no person's size in metres, it is taken for one
// of usual height, so that a millimetre means what it means on a person.
double units_per_metre(const Character& character) {
    constexpr double shortest = 0.3, tallest = 4.0, usual = 1.7;
    const bool unknown = character.format == "bvh" || character.format == "asf" || character.format == "amc";
    if (!unknown || character.skeleton.size() == 0) return 1.0;
    Box box;
    for (const AffineD& joint : rest_world(character.skeleton)) box.add(Vec3(joint.translation().cast<float>()));
    const double height = box.size().y();
    return height > shortest && height < tallest ? 1.0 : height > 0.0 ? height / usual : 1.0;
}

ClipEditReport optimize(Clip& clip, const ClipBody& body, float bound_mm, double unit) {
    const ReduceOptions defaults;
    ReducedClip reduced = reduce_clip(clip, body, {.bound = 1e-3 * bound_mm * unit, .shell = defaults.shell * unit});
    ClipEditReport report{
        clip.name,           duration(clip),     duration(reduced.clip),
        reduced.keys_before, reduced.keys_after, static_cast<float>(1e3 * reduced.worst_error / unit)};
    clip = std::move(reduced.clip);
    return report;
}

Result<void> check_options(const EditOptions& o) {
    if (!(o.speed > 0.0f) || !std::isfinite(o.speed))
        return fail(ErrorCode::invalid_argument, "the speed must be above 0; reverse plays a clip backwards",
                    "--speed");
    if (!(o.fps >= 0.0f) || !(o.optimize_mm >= 0.0f) || !(o.fade >= 0.0f))
        return fail(ErrorCode::invalid_argument,
                    "frames per second, millimetres and seconds of a fade cannot be negative");
    for (const float strength :
         {o.exaggerate, o.arcs, o.anticipate, o.follow, o.hold, o.secondary, o.squash, o.slow_in_out})
        if (!std::isfinite(strength))
            return fail(ErrorCode::invalid_argument, "the strength of a principle is not a number");
    if (!o.mark.empty() && o.mark != "steps" && o.mark != "none")
        return fail(ErrorCode::invalid_argument, "events are marked as \"steps\" or \"none\"", "--events");
    for (const ClipEvent& event : o.events)
        if (!std::isfinite(event.time) || event.time < 0.0f || event.name.empty())
            return fail(ErrorCode::invalid_argument, "an event has a name, and a time that is not negative", "--event");
    return {};
}

}  // namespace

Result<EditReport> edit_clips(Character& character, const EditOptions& options, const Listener& listener) {
    SINEW_TRY_VOID(check_options(options));
    EditReport made;
    if (!options.shapes_from.empty()) {
        SINEW_TRY(const Character face, in_file(read_character(options.shapes_from), options.shapes_from));
        SINEW_TRY_VOID(in_file(take_shapes(character, face), options.shapes_from));
    }
    if (character.clips.empty() && has_controls(options)) character.clips.push_back({.name = "controls", .tracks = {}});
    if (character.clips.empty() && !options.shapes_from.empty()) return made;
    if (character.clips.empty())
        return fail(ErrorCode::not_found,
                    "has no animation to edit; give a file that has one, or put a motion on it first (sinew animate)");
    SINEW_TRY(const Clip* chosen, find_clip(character, options.clip));
    SINEW_TRY(const Layers layers, load_layers(character, options, made.warnings));
    const ClipBody body{character.skeleton, rest_pose(character)};
    const double unit = units_per_metre(character);
    for (size_t i = 0; i < character.clips.size(); ++i) {
        Clip& clip = character.clips[i];
        if (!options.clip.empty() && chosen != &clip) continue;
        report(listener.progress, "editing", static_cast<double>(i) / static_cast<double>(character.clips.size()));
        ClipEditReport row{clip.name, duration(clip), 0.0f, count_keys(clip)};
        SINEW_TRY(clip, edited(character, clip, options, layers));
        if (options.optimize_mm > 0.0f)
            row.worst_error_mm = optimize(clip, body, options.optimize_mm, unit).worst_error_mm;
        row.clip = clip.name;
        row.seconds_after = duration(clip);
        row.keys_after = count_keys(clip);
        row.events = clip.events.size();
        made.clips.push_back(std::move(row));
    }
    report(listener.progress, "editing", 1.0);
    return made;
}

std::vector<ClipEditReport> optimize_clips(Character& character, float bound_mm, const Listener& listener) {
    std::vector<ClipEditReport> rows;
    const ClipBody body{character.skeleton, rest_pose(character)};
    for (Clip& clip : character.clips) {
        report(listener.progress, "optimizing",
               static_cast<double>(rows.size()) / static_cast<double>(character.clips.size()));
        rows.push_back(optimize(clip, body, bound_mm, units_per_metre(character)));
    }
    report(listener.progress, "optimizing", 1.0);
    return rows;
}

namespace {

Result<OutputFile> pose_library(const Character& character, const EditJob& job, const Clip& clip) {
    if (job.keep_poses.empty())
        return fail(ErrorCode::invalid_argument,
                    "a .json gets a library of poses; say which with --keep-pose NAME:TIME", job.output.string());
    const ControlBody body = control_body(character);
    ControlSet library;
    for (const ClipEvent& kept : job.keep_poses)
        library.poses.push_back(make_library_pose(kept.name, pose_at(character, &clip, kept.time), body));
    const std::string text = encode_json(library) + "\n";
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return OutputFile{job.output, Bytes(bytes, bytes + text.size())};
}

}  // namespace

Result<EditFileReport> edit_file(const EditJob& job) {
    if (job.inputs.empty()) return fail(ErrorCode::invalid_argument, "give a file whose clips shall be edited");
    std::vector<std::filesystem::path> inputs(job.inputs.begin(), job.inputs.end());
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}}, inputs));
    const bool library = lower_extension(job.output) == ".json";
    if (!library) {
        SINEW_TRY_VOID(in_file(check_writable_type(job.output), job.output));
        if (!job.keep_poses.empty())
            return fail(ErrorCode::invalid_argument, "poses are kept in a .json file; name one with -o", "--keep-pose");
    }
    SINEW_TRY_VOID(check_options(job.options));
    EditFileReport done{.input = job.inputs.front(), .output = job.output.string()};
    Stopwatch stopwatch;
    SINEW_TRY(Character character, read_input(inputs.front(), job.listener));
    done.warnings = character.warnings;
    done.seconds.emplace_back("read", stopwatch.lap());
    EditOptions options = job.options;
    options.then.insert(options.then.begin(), job.inputs.begin() + 1, job.inputs.end());
    SINEW_TRY(done.edit, in_file(edit_clips(character, options, job.listener), inputs.front()));
    warn(job.listener, done.input, done.edit.warnings, done.warnings);
    done.seconds.emplace_back("edit", stopwatch.lap());
    SINEW_TRY(const Clip* first, find_clip(character, options.name.empty() ? options.clip : std::string()));
    const auto number = static_cast<int32_t>(first - character.clips.data());
    if (library) {
        SINEW_TRY(OutputFile file, pose_library(character, job, *first));
        SINEW_TRY_VOID(in_file(write_outputs({std::move(file)}, {}, {}), job.output));
    } else {
        SINEW_TRY_VOID(in_file(write_character(character, job.output, {.clip = number}), job.output));
    }
    done.seconds.emplace_back("write", stopwatch.lap());
    return done;
}

}  // namespace sinew
