// Clips: keys out and in, keyed poses, the verb edit, paths of joints.
#include <sinew/core/closest.h>
#include <sinew/edit/frames.h>
#include <sinew/motion/plant/foot_contacts.h>
#include <sinew/pipeline/edit/edit_clips.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/report_json.h>
#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/joint_label.h>
#include <algorithm>
#include <array>

#include "choices.h"
#include "key_pose.h"

namespace sinew::web {
namespace {

constexpr std::array<const char*, 4> path_names = {"translation", "rotation", "scale", "morphs"};
constexpr std::array<const char*, 3> interpolation_names = {"step", "linear", "cubic"};

template <size_t size>
int32_t index_in(const std::array<const char*, size>& names, const std::string& name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? -1 : static_cast<int32_t>(found - names.begin());
}

// The clip that the argument `clip` means; absent is wrong.
Result<size_t> needed_clip(Call& call, const Character& character) {
    SINEW_TRY(const Clip* clip, clip_of(call, character));
    if (!clip) return fail(ErrorCode::invalid_argument, "the argument clip is missing");
    return static_cast<size_t>(clip - character.clips.data());
}

Result<Json> get_clip(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    SINEW_TRY(const size_t number, needed_clip(call, document->character));
    const Clip& clip = document->character.clips[number];
    Json tracks = Json::array();
    for (const Track& track : clip.tracks)
        tracks.push_back({{"target", track.target},
                          {"path", path_names[static_cast<size_t>(track.path)]},
                          {"interpolation", interpolation_names[static_cast<size_t>(track.interpolation)]},
                          {"width", track.width},
                          {"times", call.array(std::span<const float>(track.times))},
                          {"values", call.array(std::span<const float>(track.values))}});
    return Json{{"name", clip.name}, {"duration", duration(clip)}, {"tracks", tracks}};
}

Clip clip_of_arguments(Call& call) {
    Clip clip;
    call.args.need("name", clip.name);
    call.args.each("tracks", [&](Arguments& args) {
        Track& track = clip.tracks.emplace_back();
        std::string path, interpolation = "linear";
        args.need("target", track.target);
        args.need("path", path);
        args.read("interpolation", interpolation);
        args.need("width", track.width);
        args.need("times", track.times);
        args.need("values", track.values);
        const int32_t which = index_in(path_names, path), how = index_in(interpolation_names, interpolation);
        if (which < 0) return args.complain("path", "is no path");
        if (how < 0) return args.complain("interpolation", "is no interpolation");
        track.path = static_cast<TrackPath>(which);
        track.interpolation = static_cast<Interpolation>(how);
    });
    return clip;
}

Result<Json> set_clip(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    Clip clip = clip_of_arguments(call);
    std::optional<int32_t> at;
    call.args.read("at", at);
    SINEW_TRY_VOID(call.args.check());
    Document changed = *document;
    std::vector<Clip>& clips = changed.character.clips;
    SINEW_TRY_VOID(validate(clip, changed.character.skeleton.size(), morph_count(changed.character)));
    if (call.args.has("clip")) {
        SINEW_TRY(const size_t number, needed_clip(call, changed.character));
        clip.source = clips[number].source;
        clips[number] = std::move(clip);
    } else {
        const size_t place = std::min(static_cast<size_t>(std::max(at.value_or(0), 0)), clips.size());
        clips.insert(clips.begin() + static_cast<std::ptrdiff_t>(place), std::move(clip));
    }
    return finish(call, std::move(changed));
}

Result<Json> remove_clip(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    SINEW_TRY(const size_t number, needed_clip(call, document->character));
    Document changed = *document;
    changed.character.clips.erase(changed.character.clips.begin() + static_cast<std::ptrdiff_t>(number));
    return finish(call, std::move(changed));
}

Result<Json> set_keys(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    SINEW_TRY(const size_t number, needed_clip(call, document->character));
    float time = 0.0f;
    std::vector<float> numbers;
    std::vector<std::string> names;
    call.args.need("time", time);
    call.args.need("pose", numbers);
    call.args.read("joints", names);
    SINEW_TRY_VOID(call.args.check());
    Document changed = *document;
    Character& character = changed.character;
    SINEW_TRY(const std::vector<Transform> pose, pose_of_numbers(numbers, character.skeleton.size()));
    std::vector<char> wanted(pose.size(), names.empty());
    for (const std::string& name : names) {
        SINEW_TRY(const int32_t joint, joint_of(character, name));
        wanted[static_cast<size_t>(joint)] = 1;
    }
    const int32_t keys = key_pose(character, pose, wanted, time, character.clips[number]);
    SINEW_TRY_VOID(validate(character.clips[number], pose.size(), morph_count(character)));
    return finish(call, std::move(changed), {{"keys", keys}});
}

std::vector<MotionLayer> motion_layers(Call& call, const char* name, float usual) {
    std::vector<MotionLayer> layers;
    call.args.each(name, [&](Arguments& args) {
        MotionLayer& layer = layers.emplace_back(MotionLayer{"", usual});
        args.need("motion", layer.motion);
        args.read("weight", layer.weight);
    });
    return layers;
}

Result<Json> edit(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    EditOptions o;
    Arguments& args = call.args;
    args.read("clip", o.clip);
    args.read("trim_from", o.trim_from);
    args.read("trim_to", o.trim_to);
    args.read("reverse", o.reverse);
    args.read("speed", o.speed);
    args.read("mirror", o.mirror);
    o.blend = motion_layers(call, "blend", 0.5f);  // as the command line has it
    o.add = motion_layers(call, "add", 1.0f);
    args.read("only", o.only);
    args.read("then", o.then);
    for (const auto& [name, value] :
         {std::pair("exaggerate", &o.exaggerate), std::pair("arcs", &o.arcs), std::pair("anticipate", &o.anticipate),
          std::pair("follow", &o.follow), std::pair("hold", &o.hold), std::pair("secondary", &o.secondary),
          std::pair("squash", &o.squash), std::pair("slow_in_out", &o.slow_in_out), std::pair("fade", &o.fade),
          std::pair("fps", &o.fps), std::pair("optimize_mm", &o.optimize_mm)})
        args.read(name, *value);
    args.read("loop", o.loop);
    args.read("in_place_root", o.in_place_root);
    args.read("name", o.name);
    SINEW_TRY_VOID(args.check());
    Document changed = *document;
    EditFileReport report{.input = document->file};
    SINEW_TRY(report.edit, edit_clips(changed.character, o, {.progress = call.progress}));
    report.warnings = report.edit.warnings;
    return finish(call, std::move(changed), {{"report", parsed(encode_json(report))}});
}

// Places of joints at even times of a clip, joint after joint.
struct Paths {
    std::vector<float> times;
    std::vector<std::vector<Vec3d>> of;
};
Paths trace(const Character& character, const Clip& clip, std::span<const int32_t> joints, double fps) {
    const ClipBody body{character.skeleton, rest_pose(character)};
    const ClipFrames frames = sample_frames(clip, body, fps);
    Paths paths{frames.times, std::vector<std::vector<Vec3d>>(joints.size())};
    std::vector<AffineD> world(character.skeleton.size());
    for (const Pose& pose : frames.poses) {
        local_to_world(character.skeleton.parents(), pose.local, world);
        for (size_t i = 0; i < joints.size(); ++i)
            paths.of[i].push_back(world[static_cast<size_t>(joints[i])].translation());
    }
    return paths;
}

constexpr float usual_fps = 30.0f;

Result<Json> trail(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    SINEW_TRY(const size_t number, needed_clip(call, document->character));
    std::vector<std::string> names;
    float fps = usual_fps;
    call.args.need("joints", names);
    call.args.read("fps", fps);
    SINEW_TRY_VOID(call.args.check());
    if (!(fps >= 1.0f && fps <= 1000.0f))
        return fail(ErrorCode::invalid_argument, "the rate is not between 1 and 1000", "fps");
    std::vector<int32_t> joints;
    for (const std::string& name : names) {
        SINEW_TRY(const int32_t joint, joint_of(document->character, name));
        joints.push_back(joint);
    }
    const Paths paths = trace(document->character, document->character.clips[number], joints, fps);
    std::vector<float> points;
    for (const std::vector<Vec3d>& path : paths.of)
        for (const Vec3d& point : path)
            for (int axis = 0; axis < 3; ++axis) points.push_back(static_cast<float>(point[axis]));
    return Json{{"times", call.array(paths.times)}, {"points", call.array(points)}};
}

// A leg's length at rest along its bones, and the joint that stands.
struct StandingLeg {
    int32_t foot = -1;
    double length = 0.0;
};
std::vector<StandingLeg> standing_legs(const Skeleton& skeleton, const CreatureMap& body) {
    const std::vector<AffineD> world = rest_world(skeleton);
    std::vector<StandingLeg> legs;
    for (const CreatureLimb& limb : body.legs) {
        StandingLeg leg{limb.joints[limb.foot]};
        for (size_t i = limb.socket; i < limb.foot; ++i)
            leg.length += (world[static_cast<size_t>(limb.joints[i + 1])].translation() -
                           world[static_cast<size_t>(limb.joints[i])].translation())
                              .norm();
        if (leg.length > 0.0) legs.push_back(leg);
    }
    return legs;
}

Result<Json> contacts(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    SINEW_TRY(const size_t number, needed_clip(call, document->character));
    const Character& character = document->character;
    const CreatureMap body = recognise_creature(character.skeleton);
    const std::vector<StandingLeg> legs = standing_legs(character.skeleton, body);
    std::vector<int32_t> feet;
    for (const StandingLeg& leg : legs) feet.push_back(leg.foot);
    const Paths paths = trace(character, character.clips[number], feet, usual_fps);
    Json list = Json::array();
    for (size_t i = 0; i < legs.size(); ++i) {
        double ground = INFINITY;
        for (const Vec3d& point : paths.of[i]) ground = std::min(ground, body.up.dot(point));
        for (const Contact& contact : find_contacts(paths.of[i], body.up, ground, legs[i].length, usual_fps))
            list.push_back({{"joint", joint_label(character.skeleton, legs[i].foot)},
                            {"from", paths.times[static_cast<size_t>(contact.first)]},
                            {"to", paths.times[static_cast<size_t>(contact.last)]}});
    }
    return Json{{"contacts", list}};
}

}  // namespace

void add_clip_operations(Operations& operations) {
    operations.push_back({"clip", {"id", "clip"}, get_clip});
    operations.push_back({"set_clip", {"id", "clip", "name", "tracks", "at"}, set_clip});
    operations.push_back({"remove_clip", {"id", "clip"}, remove_clip});
    operations.push_back({"set_keys", {"id", "clip", "time", "pose", "joints"}, set_keys});
    operations.push_back(
        {"edit_clips",
         {"id",        "clip",   "trim_from",   "trim_to",    "reverse", "speed",         "mirror", "blend",
          "add",       "only",   "then",        "exaggerate", "arcs",    "anticipate",    "follow", "hold",
          "secondary", "squash", "slow_in_out", "loop",       "fade",    "in_place_root", "fps",    "optimize_mm",
          "name"},
         edit});
    operations.push_back({"trail", {"id", "clip", "joints", "fps"}, trail});
    operations.push_back({"contacts", {"id", "clip"}, contacts});
}

}  // namespace sinew::web
