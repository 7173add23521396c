#include <sinew/pipeline/job/report_json.h>

#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/bake.h>
#include <sinew/pipeline/bind_character.h>
#include <sinew/pipeline/convert_file.h>
#include <sinew/pipeline/demo.h>
#include <sinew/pipeline/edit_weights.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/pose_character.h>
#include <sinew/pipeline/simulate/report_json.h>
#include <sinew/skeleton/joint_label.h>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// Names that are not UTF-8 must not lose the whole answer.
std::string to_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

// The number a float was meant to be (0.1, not 0.10000000149): shorter, and reads back to the same float.
double number(float value) {
    if (!std::isfinite(value)) return 0.0;
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    double result = 0.0;
    std::from_chars(text, end, result);
    return result;
}

double rounded(double value) {
    return number(static_cast<float>(std::round(value * 1000.0) / 1000.0));
}

Json vector(const Vec3& v) {
    return {number(v.x()), number(v.y()), number(v.z())};
}

std::string joint_label(const std::vector<std::string>& names, int32_t joint) {
    const auto j = static_cast<size_t>(joint);
    return sinew::joint_label(names[j], j);
}

Json seconds_json(const StageSeconds& stages) {
    Json seconds;
    for (const auto& [stage, time] : stages) seconds[stage] = time;
    return seconds;
}

Json weights_json(const WeightReport& report, const std::vector<std::string>& names) {
    Json bones = Json::array(), joints = Json::array(), pieces = Json::array(), leaks = Json::array();
    for (const JointUse& use : report.bones)
        bones.push_back({{"joint", joint_label(names, use.joint)}, {"segments", use.segments}, {"why", use.why}});
    for (const JointWeight& joint : report.joints) {
        if (joint.vertices > 0)
            joints.push_back({{"name", joint_label(names, joint.joint)},
                              {"vertices", joint.vertices},
                              {"total_weight", joint.total}});
    }
    for (const PieceReport& piece : report.pieces)
        pieces.push_back({{"vertices", piece.vertices}, {"bound", piece.how}});
    for (const LeakSuspect& leak : report.leaks)
        leaks.push_back({{"joint", joint_label(names, leak.joint)},
                         {"vertices", leak.vertices},
                         {"total_weight", leak.total},
                         {"place", {leak.place.x(), leak.place.y(), leak.place.z()}}});
    return {{"method", report.method},
            {"max_influences", report.max_influences},
            {"unweighted_vertices", report.unweighted_vertices},
            {"largest_sum_error", report.largest_sum_error},
            {"vertices", report.vertices},
            {"welded_vertices", report.welded_vertices},
            {"triangles", report.triangles},
            {"piece_count", report.piece_count},
            {"pieces", pieces},
            {"bone_axis", report.bone_axis},
            {"bones", bones},
            {"joints", joints},
            {"leak_suspects", leaks},
            {"seconds", seconds_json(report.seconds)}};
}

Json hypothesis_json(const RigHypothesis& h) {
    Json entry = {{"template", to_string(h.kind)},
                  {"up", vector(h.up)},
                  {"facing", vector(h.facing)},
                  {"score", rounded(h.score)}};
    if (h.confidence >= 0.0) entry["confidence"] = rounded(h.confidence);
    return entry;
}

void add_rig(const RigCharacterReport& report, Json& out) {
    const RigResult& rig = report.rig;
    const std::vector<std::string>& names = rig.skeleton.names();
    out["template"] = to_string(rig.kind);
    out["confidence"] = rounded(rig.confidence);
    out["accepted"] = rig.confidence >= accepted_confidence;
    out["pose"] = rig.pose;
    if (!rig.stance.empty()) out["stance"] = rig.stance;
    if (rig.base_joint >= 0)
        out["base"] = {{"joint", joint_label(names, rig.base_joint)}, {"vertices", rig.base.size()}};
    out["up"] = vector(rig.up);
    out["facing"] = vector(rig.facing);
    out["joints"] = Json::array();
    for (size_t j = 0; j < rig.skeleton.size(); ++j) {
        const int32_t parent = rig.skeleton.parents()[j];
        out["joints"].push_back({{"name", joint_label(names, static_cast<int32_t>(j))},
                                 {"parent", parent < 0 ? Json(nullptr) : Json(joint_label(names, parent))},
                                 {"position", vector(rig.positions[j])},
                                 {"confidence", rounded(rig.joint_confidence[j])}});
        if (!rig.joint_reason[j].empty()) out["joints"].back()["reason"] = rig.joint_reason[j];
    }
    out["cues"] = Json::array();
    for (const RigCue& cue : rig.cues)
        out["cues"].push_back({{"name", cue.name},
                               {"value", rounded(cue.value)},
                               {"measured", rounded(cue.measured)},
                               {"says", cue.text}});
    out["hypotheses"] = Json::array();
    for (const RigHypothesis& h : rig.hypotheses) out["hypotheses"].push_back(hypothesis_json(h));
    out["weights"] = weights_json(report.weights, report.joint_names);
}

Json motion_json(const MotionReport& motion) {
    Json map = Json::array();
    for (const MatchReport& match : motion.map)
        map.push_back({{"source", match.source}, {"target", match.target}, {"by", match.by}});
    Json out = {{"mapped_joints", motion.mapped_joints}, {"scale", number(motion.scale)}};
    if (motion.feet_measured) {
        out["foot_skate_cm_per_s"] = number(motion.foot_skate_cm_per_s);
        out["ground_error_cm"] = number(motion.ground_error_cm);
    }
    out["map"] = std::move(map);
    if (motion.reference_time) out["reference_time"] = number(*motion.reference_time);
    return out;
}

Json mesh_json(const MeshInfo& mesh) {
    return {{"name", mesh.name},
            {"vertices", mesh.vertices},
            {"triangles", mesh.triangles},
            {"pieces", mesh.pieces},
            {"watertight", mesh.watertight},
            {"skinned", mesh.skinned},
            {"max_influences", mesh.max_influences},
            {"unweighted_vertices", mesh.unweighted_vertices},
            {"morphs", mesh.morphs}};
}

Json clip_json(const ClipInfo& clip) {
    Json events = Json::array();
    for (const ClipEvent& event : clip.events) events.push_back({{"time", number(event.time)}, {"name", event.name}});
    return {{"name", clip.name},         {"duration", number(clip.duration)},
            {"tracks", clip.tracks},     {"keys", clip.keys},
            {"rate", number(clip.rate)}, {"curves", clip.curves},
            {"events", events},          {"floats", clip.floats}};
}

Json joint_json(const JointInfo& joint) {
    return {{"name", joint.name},
            {"parent", joint.parent},
            {"position", vector(joint.position)},
            {"role", joint.role == Role::count ? Json(nullptr) : Json(std::string(to_string(joint.role)))}};
}

Json edited_clips(const std::vector<ClipEditReport>& clips) {
    Json rows = Json::array();
    for (const ClipEditReport& clip : clips)
        rows.push_back({{"name", clip.clip},
                        {"seconds_before", number(clip.seconds_before)},
                        {"seconds_after", number(clip.seconds_after)},
                        {"keys_before", clip.keys_before},
                        {"keys_after", clip.keys_after},
                        {"worst_error_mm", number(clip.worst_error_mm)},
                        {"events", clip.events}});
    return rows;
}

}  // namespace

std::string encode_json(const AnimateReport& report) {
    Json out = {{"input", report.input}, {"output", report.output}};
    if (report.rig) add_rig(*report.rig, out);
    out["clips"] = Json::array();
    for (const MotionReport& motion : report.motions) out["clips"].push_back(motion.clip);
    if (!report.motions.empty()) out["retarget"] = motion_json(report.motions.front());
    if (report.spring_bones > 0) out["spring_bones"] = report.spring_bones;
    if (!report.cloths.empty()) out["cloths"] = cloths_json(report.cloths);
    out["seconds"] = seconds_json(report.seconds);
    out["warnings"] = report.warnings;
    return to_text(out);
}

std::string encode_json(const RigReport& report) {
    Json out = {{"input", report.input}, {"output", report.output}};
    add_rig(report.rig, out);
    out["seconds"] = seconds_json(report.seconds);
    out["warnings"] = report.warnings;
    return to_text(out);
}

std::string encode_json(const BindReport& report) {
    return to_text({{"input", report.input},
                    {"output", report.output},
                    {"weights", weights_json(report.weights, report.joint_names)},
                    {"seconds", seconds_json(report.seconds)},
                    {"warnings", report.warnings}});
}

std::string encode_json(const EditWeightsFileReport& report) {
    const EditWeightsReport& edit = report.edit;
    return to_text({{"input", report.input},
                    {"output", report.output},
                    {"weights",
                     {{"method", "edited"},
                      {"max_influences", edit.max_influences},
                      {"unweighted_vertices", edit.unweighted_vertices},
                      {"largest_sum_error", edit.largest_sum_error}}},
                    {"vertices", edit.vertices},
                    {"changed", edit.changed},
                    {"max_influences", edit.max_influences},
                    {"unweighted_vertices", edit.unweighted_vertices},
                    {"transferred", edit.transferred},
                    {"mirror_unmatched", edit.mirror_unmatched},
                    {"seconds", seconds_json(report.seconds)},
                    {"warnings", report.warnings}});
}

std::string encode_json(const RetargetReport& report) {
    std::vector<std::string> clips = {report.motion.clip}, warnings = report.motion.warnings;
    for (const MotionReport& motion : report.more) {
        clips.push_back(motion.clip);
        warnings.insert(warnings.end(), motion.warnings.begin(), motion.warnings.end());
    }
    return to_text({{"input", report.input},
                    {"onto", report.onto},
                    {"output", report.output},
                    {"clip", report.motion.clip},
                    {"clips", clips},
                    {"retarget", motion_json(report.motion)},
                    {"warnings", warnings}});
}

std::string encode_json(const PoseFileReport& report) {
    Json goals = Json::array();
    for (const PoseGoalReport& goal : report.pose.goals)
        goals.push_back({{"joint", goal.joint},
                         {"target", vector(goal.target)},
                         {"position", vector(goal.position)},
                         {"error", number(goal.error)},
                         {"reached", goal.reached},
                         {"solver", goal.solver},
                         {"iterations", goal.iterations}});
    return to_text({{"input", report.input},
                    {"output", report.output},
                    {"reached", report.pose.reached},
                    {"goals", goals},
                    {"turned_joints", report.pose.turned},
                    {"seconds", seconds_json(report.seconds)},
                    {"warnings", report.warnings}});
}

std::string encode_json(const EditFileReport& report) {
    return to_text({{"input", report.input},
                    {"output", report.output},
                    {"clips", edited_clips(report.edit.clips)},
                    {"seconds", seconds_json(report.seconds)},
                    {"warnings", report.warnings}});
}

std::string encode_json(const BakeReport& report) {
    return to_text({{"input", report.input}, {"output", report.output}, {"frames", report.frames}});
}

std::string encode_json(const PreviewReport& report) {
    return to_text(
        {{"input", report.input}, {"output", report.output}, {"frames", report.frames}, {"bytes", report.bytes}});
}

std::string encode_json(const ConvertReport& report) {
    Json all = {
        {"input", report.input}, {"output", report.output}, {"bytes", report.bytes}, {"warnings", report.warnings}};
    if (!report.clips.empty()) all["clips"] = edited_clips(report.clips);
    return to_text(all);
}

std::string encode_json(const std::vector<DemoFile>& files) {
    Json paths = Json::array();
    for (const DemoFile& file : files) paths.push_back(file.path.string());
    return to_text({{"files", paths}});
}

std::string encode_json(const MotionList& list) {
    Json clips = Json::array(), builtin = Json::object();
    for (const ClipInfo& clip : list.clips) clips.push_back(clip_json(clip));
    for (const BuiltinMotions& kind : list.builtin) builtin[std::string(kind.kind)] = kind.names;
    if (list.file.empty()) return to_text({{"builtin", builtin}});
    return to_text({{"file", list.file}, {"kind", list.kind}, {"clips", clips}, {"builtin", builtin}});
}

std::string encode_json(const CharacterInfo& info) {
    Json meshes = Json::array(), joints = Json::array(), clips = Json::array();
    for (const MeshInfo& mesh : info.meshes) meshes.push_back(mesh_json(mesh));
    for (const JointInfo& joint : info.joints) joints.push_back(joint_json(joint));
    for (const ClipInfo& clip : info.clips) clips.push_back(clip_json(clip));
    Json bounds = nullptr;
    if (!info.bounds.empty()) bounds = {{"min", vector(info.bounds.min)}, {"max", vector(info.bounds.max)}};
    Json out = {{"file", info.file}, {"format", info.format}, {"meshes", meshes},
                {"joints", joints},  {"skins", info.skins},   {"materials", info.materials},
                {"bounds", bounds},  {"clips", clips},        {"warnings", info.warnings}};
    if (info.reference_time) out["reference_time"] = number(*info.reference_time);
    if (!info.characters.empty()) out["characters"] = info.characters;
    out["controls"] = info.controls;
    return to_text(out);
}

}  // namespace sinew
