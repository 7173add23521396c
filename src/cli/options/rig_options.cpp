#include "options/rig_options.h"

#include <sinew/core/closest.h>

#include <fmt/format.h>

#include "options/vector_options.h"

namespace sinew::cli {
namespace {

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
                    fmt::format("\"{}\" is not a direction; give x, y, z, -x, -y, -z or three numbers", text), option);
    return *vector;
}

// A kind's name, or a file.
Result<void> parse_template(const std::string& word, RigOptions& rig) {
    if (word == "auto") return {};
    std::vector<std::string_view> known = {"auto"};
    for (const RigKind kind : rig_kinds) {
        known.push_back(to_string(kind));
        if (to_string(kind) == word) rig.kind = kind;
    }
    if (rig.kind) return {};
    const std::filesystem::path file = word;
    if (!std::filesystem::exists(file) && file.extension().empty())
        return fail(ErrorCode::invalid_argument, unknown_name("template", word, known), "--template");
    SINEW_TRY(rig.user_template, load_template(word));
    return {};
}

Result<JointHint> parse_hint(const std::string& text) {
    const size_t equals = text.find('=');
    const auto position =
        equals == std::string::npos ? std::nullopt : parse_vector(std::string_view(text).substr(equals + 1));
    if (!position)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("\"{}\" is not NAME=x,y,z; write leftHand=0.7,1.4,0", text), "--joint");
    return JointHint{text.substr(0, equals), *position};
}

}  // namespace

void add_rig_options(Verb& verb, RigWords& words) {
    verb.add("--template", words.rig_template,
             "what it is: auto, biped, quadruped, bird, dinosaur (two legs, a level trunk and a tail), dragon (four "
             "legs and "
             "wings) or generic; or a file whose skeleton to use (glTF, BVH, …), or a template (.json)");
    verb.add("--names", words.names, "joint names: vrm, mixamo, unreal, humanik");
    verb.add("--joint", words.joints,
             "NAME=x,y,z: where a joint is, in the mesh's space; the others adapt; repeat it for several")
        .one_per_use();
    verb.add("--up", words.up, "which way is up in the mesh: y, -y, z, … or x,y,z; default: found");
    verb.add("--facing", words.facing, "which way it looks, written like --up; default: found");
    verb.add("--fingers", words.fingers, "fingers per hand, at most, where the mesh has them").between(0, 5);
    verb.add("--twist", words.twist, "twist joints per upper and lower arm and leg").between(0, 4);
    verb.add("--min-confidence", words.min_confidence,
             "fail and write nothing when the fit is less sure than this, 0 to 1; default: write it, with a warning")
        .between(0.0f, 1.0f);
    verb.add("--weights", words.method, "how to bind: auto, heat, voxel, bbw, distance, rigid");
    verb.add("--influences", words.influences, "joints per vertex, at most").between(1, 16);
    verb.add_flag("--root,!--no-root", words.root,
                  "a root joint on the ground above all others (the default), or none");
}

Result<RigCharacterOptions> parse_rig_options(const RigWords& words) {
    RigCharacterOptions options;
    RigOptions& rig = options.rig;
    SINEW_TRY_VOID(parse_template(words.rig_template, rig));
    const auto scheme = find_name_scheme(words.names);
    if (!scheme)
        return fail(ErrorCode::invalid_argument, unknown_name("naming scheme", words.names, name_scheme_names()),
                    "--names");
    rig.names = *scheme;
    for (const std::string& text : words.joints) {
        SINEW_TRY(JointHint hint, parse_hint(text));
        rig.hints.push_back(std::move(hint));
    }
    SINEW_TRY(rig.up, parse_direction("--up", words.up));
    SINEW_TRY(rig.facing, parse_direction("--facing", words.facing));
    if (rig.up && rig.facing && rig.up->normalized().cross(rig.facing->normalized()).norm() < 0.1f)
        return fail(ErrorCode::invalid_argument, "points the same way as --up, or the opposite one; turn one of them",
                    "--facing");
    rig.fingers = words.fingers;
    rig.twist = words.twist;
    rig.root = words.root;
    options.min_confidence = words.min_confidence;
    options.weights.influences = words.influences;
    auto method = parse_weight_method(words.method);
    if (!method) return fail(method.error().code, method.error().message, "--weights");
    options.weights.method = *method;
    return options;
}

}  // namespace sinew::cli
