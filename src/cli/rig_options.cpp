#include "rig_options.h"

#include <sinew/core/closest.h>
#include <sinew/skeleton/joint_label.h>
#include <charconv>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "weight_report.h"

namespace sinew::cli {
namespace {

Result<Vec3> parse_vector(std::string_view text) {
    Vec3 value = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const size_t comma = k < 2 ? text.find(',') : text.size();
        const std::string_view part = text.substr(0, comma);
        const auto parsed = std::from_chars(part.data(), part.data() + part.size(), value[k]);
        if (comma == std::string_view::npos || parsed.ec != std::errc{} || parsed.ptr != part.data() + part.size())
            return fail(ErrorCode::invalid_argument, "is not three numbers; write x,y,z");
        text = k < 2 ? text.substr(comma + 1) : std::string_view();
    }
    return value;
}

// "y", "+y", "-z", or three numbers.
Result<std::optional<Vec3>> parse_direction(const std::string& option, std::string_view text) {
    if (text.empty()) return std::nullopt;
    std::string_view axis = text;
    float sign = 1.0f;
    if (axis[0] == '+' || axis[0] == '-') sign = axis[0] == '-' ? -1.0f : 1.0f, axis.remove_prefix(1);
    if (axis.size() == 1 && axis[0] >= 'x' && axis[0] <= 'z') return Vec3(sign * Vec3::Unit(axis[0] - 'x'));
    const auto vector = parse_vector(text);
    if (!vector || !(vector->norm() > 0.0f))
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} \"{}\" is no direction; give x, y, z, -x, -y, -z or three numbers", option, text));
    return *vector;
}

}  // namespace

void add_rig_options(CLI::App& verb, RigCommand& command) {
    verb.add_option(
        "--template", command.rig_template,
        "what it is: auto, biped, quadruped, bird, generic; or a file with a skeleton to use: glTF, BVH, …, "
        "or a template (.json)");
    verb.add_option("--names", command.names, "joint names: vrm, mixamo, unreal, humanik");
    verb.add_option("--joint", command.joints,
                    "NAME=x,y,z: where a joint is, in the mesh's space; the rest adapts; may be given several times")
        ->allow_extra_args(false);
    verb.add_option("--up", command.up, "which way is up in the mesh: y, -y, z, … or x,y,z; found when not given");
    verb.add_option("--facing", command.facing, "which way it looks, in the same way");
    verb.add_option("--fingers", command.fingers, "fingers per hand, at most, where the mesh has them")
        ->check(CLI::Range(0, 5));
    verb.add_option("--twist", command.twist, "twist joints per upper and lower arm and leg")->check(CLI::Range(0, 4));
    verb.add_option("--weights", command.method, "how to bind: auto, heat, voxel, bbw, distance, rigid");
    verb.add_option("--influences", command.influences, "joints per vertex, at most")->check(CLI::Range(1, 16));
    verb.add_flag("--root,!--no-root", command.root,
                  "a root joint on the ground above all others (the default), or none");
}

Result<RigCharacterOptions> parse_rig_options(const Common& common, const RigCommand& command) {
    RigCharacterOptions options;
    RigOptions& rig = options.rig;
    if (command.rig_template != "auto") {
        std::vector<std::string_view> known = {"auto"};
        for (RigKind kind : {RigKind::biped, RigKind::quadruped, RigKind::bird, RigKind::generic}) {
            known.push_back(to_string(kind));
            if (to_string(kind) == command.rig_template) rig.kind = kind;
        }
        const std::filesystem::path file = command.rig_template;
        if (!rig.kind && (std::filesystem::exists(file) || !file.extension().empty())) {
            SINEW_TRY(rig.user_template, load_template(command.rig_template));
        }
        if (!rig.kind && !rig.user_template)
            return fail(ErrorCode::invalid_argument, unknown_name("template", command.rig_template, known));
    }
    const auto scheme = find_name_scheme(command.names);
    if (!scheme) return fail(ErrorCode::invalid_argument, unknown_name("names", command.names, name_scheme_names()));
    rig.names = *scheme;
    for (const std::string& text : command.joints) {
        const size_t equals = text.find('=');
        const auto position = equals == std::string::npos ? Result<Vec3>(fail(ErrorCode::invalid_argument, ""))
                                                          : parse_vector(std::string_view(text).substr(equals + 1));
        if (!position) return fail(ErrorCode::invalid_argument, fmt::format("--joint \"{}\" is not NAME=x,y,z", text));
        rig.hints.push_back({text.substr(0, equals), *position});
    }
    SINEW_TRY(rig.up, parse_direction("--up", command.up));
    SINEW_TRY(rig.facing, parse_direction("--facing", command.facing));
    if (rig.up && rig.facing && rig.up->normalized().cross(rig.facing->normalized()).norm() < 0.1f)
        return fail(ErrorCode::invalid_argument, "--facing lies along --up; give two directions at an angle");
    rig.fingers = command.fingers;
    rig.twist = command.twist;
    rig.root = command.root;
    options.upright = command.upright;
    options.weights.influences = command.influences;
    options.weights.progress = make_progress(common);
    SINEW_TRY(options.weights.method, parse_weight_method(command.method));
    return options;
}

void report_rig(const RigCharacterReport& result, const Skeleton& skeleton, nlohmann::ordered_json& report,
                nlohmann::ordered_json& seconds) {
    const auto vector = [](const Vec3& v) {
        return nlohmann::ordered_json{json_number(v.x()), json_number(v.y()), json_number(v.z())};
    };
    const auto rounded = [](double value) {
        return json_number(static_cast<float>(std::round(value * 1000.0) / 1000.0));
    };
    const RigResult& rig = result.rig;
    report["template"] = to_string(rig.kind);
    report["confidence"] = rounded(rig.confidence);
    report["accepted"] = rig.confidence >= accepted_confidence;
    report["pose"] = rig.pose;
    report["up"] = vector(rig.up);
    report["facing"] = vector(rig.facing);
    report["joints"] = nlohmann::ordered_json::array();
    for (size_t j = 0; j < rig.skeleton.size(); ++j) {
        const int32_t parent = rig.skeleton.parents()[j];
        report["joints"].push_back({{"name", joint_label(rig.skeleton, static_cast<int32_t>(j))},
                                    {"parent", parent < 0 ? nlohmann::ordered_json(nullptr)
                                                          : nlohmann::ordered_json(joint_label(rig.skeleton, parent))},
                                    {"position", vector(rig.positions[j])},
                                    {"confidence", rounded(rig.joint_confidence[j])}});
    }
    report["hypotheses"] = nlohmann::ordered_json::array();
    for (const RigHypothesis& h : rig.hypotheses) {
        nlohmann::ordered_json entry = {{"template", to_string(h.kind)},
                                        {"up", vector(h.up)},
                                        {"facing", vector(h.facing)},
                                        {"score", rounded(h.score)}};
        if (h.confidence >= 0.0) entry["confidence"] = rounded(h.confidence);
        report["hypotheses"].push_back(std::move(entry));
    }
    report["weights"] = weights_json(result.weights, skeleton);
    seconds["rig"] = result.rig_seconds;
    seconds["bind"] = result.bind_seconds;
}

}  // namespace sinew::cli
