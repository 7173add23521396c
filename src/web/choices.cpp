#include "choices.h"

#include <sinew/core/closest.h>
#include <sinew/core/file.h>
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/report_json.h>
#include <sinew/pipeline/pose/pose_body.h>

#include <fmt/format.h>

namespace sinew::web {

Result<DocumentPtr> document_of(Call& call, const char* name) {
    int32_t id = 0;
    call.args.need(name, id);
    SINEW_TRY_VOID(call.args.check());
    return call.documents.find(id);
}

Json parsed(const std::string& encoded) {
    return Json::parse(encoded, nullptr, false);
}

Json state_json(int32_t id, const Document& document) {
    const Character& character = document.character;
    CharacterInfo info = describe(character);
    info.file = document.file;
    const BuiltinMotions motions = builtin_motions_of(character.skeleton);
    return {{"id", id},
            {"info", parsed(encode_json(info))},
            {"rigged", is_rigged(character)},
            {"kind", motions.kind},
            {"motions", motions.names},
            {"humanoid", document.write.humanoid.has_value()}};
}

Json finish(Call& call, Document document, Json result) {
    int32_t id = 0;
    call.args.read("id", id);
    auto kept = std::make_shared<const Document>(std::move(document));
    call.documents.set(id, kept);
    result["state"] = state_json(id, *kept);
    return result;
}

Json motions_json(std::span<const MotionReport> reports) {
    Json list = Json::array();
    for (const MotionReport& report : reports) {
        Json entry = parsed(encode_json(RetargetReport{.input = report.motion, .motion = report}));
        list.push_back({{"motion", report.motion},
                        {"clip", report.clip},
                        {"retarget", entry["retarget"]},
                        {"warnings", report.warnings}});
    }
    return list;
}

namespace {

// "y", "-z", or three numbers with commas, as on the command line.
Result<std::optional<Vec3>> direction(const char* name, std::string_view text) {
    if (text.empty() || text == "auto") return std::nullopt;
    std::string_view axis = text;
    float sign = 1.0f;
    if (axis[0] == '+' || axis[0] == '-') sign = axis[0] == '-' ? -1.0f : 1.0f, axis.remove_prefix(1);
    if (axis.size() == 1 && axis[0] >= 'x' && axis[0] <= 'z') return Vec3(sign * Vec3::Unit(axis[0] - 'x'));
    const Json numbers = Json::parse("[" + std::string(text) + "]", nullptr, false);
    Vec3 vector = Vec3::Zero();
    const Json holder = {{"v", numbers}};
    Arguments(holder, {}).read("v", vector);
    if (vector.norm() > 0.0f) return vector;
    return fail(ErrorCode::invalid_argument,
                fmt::format("\"{}\" is not a direction; give x, y, z, -x, -y, -z or three numbers", text), name);
}

// A kind's name, or a file in memory.
Result<void> set_template(const std::string& word, RigOptions& rig) {
    if (word.empty() || word == "auto") return {};
    for (const RigKind kind : rig_kinds)
        if (to_string(kind) == word) rig.kind = kind;
    if (rig.kind) return {};
    SINEW_TRY(rig.user_template, load_template(word));
    return {};
}

}  // namespace

Result<RigCharacterOptions> rig_options(Call& call) {
    RigCharacterOptions options;
    RigOptions& rig = options.rig;
    std::string kind = "auto", names = "vrm", up, facing, method = "auto";
    float confidence = 0.0f;
    call.args.object("rig", [&](Arguments& args) {
        args.read("template", kind);
        args.read("names", names);
        args.read("up", up);
        args.read("facing", facing);
        args.each("joints", [&](Arguments& hint) {
            rig.hints.emplace_back();
            hint.need("joint", rig.hints.back().joint);
            hint.need("position", rig.hints.back().position);
        });
        args.read("fingers", rig.fingers);
        args.read("twist", rig.twist);
        args.read("root", rig.root);
        args.read("min_confidence", confidence);
        args.read("weights", method);
        args.read("influences", options.weights.influences);
    });
    SINEW_TRY_VOID(call.args.check());
    SINEW_TRY_VOID(set_template(kind, rig));
    const auto scheme = find_name_scheme(names);
    if (!scheme)
        return fail(ErrorCode::invalid_argument, unknown_name("naming scheme", names, name_scheme_names()), "names");
    rig.names = *scheme;
    SINEW_TRY(rig.up, direction("up", up));
    SINEW_TRY(rig.facing, direction("facing", facing));
    constexpr float least_sine = 0.1f;  // as the command line has it
    if (rig.up && rig.facing && rig.up->normalized().cross(rig.facing->normalized()).norm() < least_sine)
        return fail(ErrorCode::invalid_argument, "points the same way as up, or the opposite one; turn one of them",
                    "facing");
    options.min_confidence = confidence;
    SINEW_TRY(options.weights.method, parse_weight_method(method));
    options.weights.progress = call.progress;
    return options;
}

Result<MotionOptions> motion_options(Call& call) {
    MotionOptions options;
    Json map;
    call.args.object("motion", [&](Arguments& args) {
        args.read("clip", options.clip);
        args.read("character", options.character);
        args.read("fps", options.fps);
        args.read("in_place_root", options.in_place_root);
        args.read("lock_feet", options.lock_feet);
        args.read("mirror", options.mirror);
        args.read("onto_animal", options.onto_animal);
        args.read("only", options.only);
        if (args.has("map")) map = args.json()["map"];
    });
    SINEW_TRY_VOID(call.args.check());
    constexpr float slowest = 1.0f, fastest = 1000.0f;  // as the command line has it
    if (options.fps < slowest || options.fps > fastest)
        return fail(ErrorCode::invalid_argument, "the rate is not between 1 and 1000 keys per second", "fps");
    if (map.is_object()) {
        options.joint_map = "joint-map.json";
        const std::string text = map.dump(-1, ' ', false, Json::error_handler_t::replace);
        SINEW_TRY_VOID(write_file(options.joint_map, as_byte_span(text)));
    }
    return options;
}

Result<Skinning> skinning_of(Call& call) {
    std::string name = "lbs";
    call.args.read("skinning", name);
    SINEW_TRY_VOID(call.args.check());
    return find_skinning(name);
}

Result<const Clip*> clip_of(Call& call, const Character& character, const char* name) {
    std::string clip;
    call.args.read(name, clip);
    SINEW_TRY_VOID(call.args.check());
    if (clip.empty()) return nullptr;
    return find_clip(character, clip);
}

Result<int32_t> joint_of(const Character& character, const std::string& name) {
    return find_pose_joint(make_pose_body(character), name, {});
}

std::vector<float> pose_numbers(std::span<const Transform> local) {
    std::vector<float> numbers;
    numbers.reserve(local.size() * numbers_per_joint);
    for (const Transform& t : local)
        for (float number : {t.translation.x(), t.translation.y(), t.translation.z(), t.rotation.x(), t.rotation.y(),
                             t.rotation.z(), t.rotation.w(), t.scale.x(), t.scale.y(), t.scale.z()})
            numbers.push_back(number);
    return numbers;
}

Result<std::vector<Transform>> pose_of_numbers(std::span<const float> numbers, size_t joints) {
    constexpr float shortest = 1e-6f;
    if (numbers.size() != joints * numbers_per_joint)
        return fail(ErrorCode::invalid_argument, fmt::format("the pose has {} numbers; {} joints need {}",
                                                             numbers.size(), joints, joints * numbers_per_joint));
    std::vector<Transform> pose(joints);
    for (size_t j = 0; j < joints; ++j) {
        const float* n = &numbers[j * numbers_per_joint];
        pose[j].translation = Vec3(n[0], n[1], n[2]);
        pose[j].rotation = Quat(n[6], n[3], n[4], n[5]);
        if (!(pose[j].rotation.norm() > shortest))
            return fail(ErrorCode::invalid_argument, fmt::format("the rotation of joint {} is none", j));
        pose[j].rotation.normalize();
        pose[j].scale = Vec3(n[7], n[8], n[9]);
    }
    return pose;
}

std::span<const float> flat(std::span<const Vec3> points) {
    return {points.empty() ? nullptr : points.front().data(), points.size() * 3};
}

}  // namespace sinew::web
