#include <sinew/io/face_expressions.h>

#include <sinew/io/gltf/document.h>
#include <array>
#include <cctype>
#include <cmath>

namespace sinew {
namespace {

using gltf::Json;

// VRM 0's presets by their names in VRM 1.0.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> vrm0_presets = {{{"joy", "happy"},
                                                                                         {"angry", "angry"},
                                                                                         {"sorrow", "sad"},
                                                                                         {"fun", "relaxed"},
                                                                                         {"a", "aa"},
                                                                                         {"i", "ih"},
                                                                                         {"u", "ou"},
                                                                                         {"e", "ee"},
                                                                                         {"o", "oh"},
                                                                                         {"blink", "blink"},
                                                                                         {"blink_l", "blinkLeft"},
                                                                                         {"blink_r", "blinkRight"},
                                                                                         {"lookup", "lookUp"},
                                                                                         {"lookdown", "lookDown"},
                                                                                         {"lookleft", "lookLeft"},
                                                                                         {"lookright", "lookRight"}}};

void bind_morph(const Character& character, const MeshInstance& instance, int32_t index, double weight,
                VrmExpression& expression) {
    const size_t count = morph_count(character.meshes[static_cast<size_t>(instance.mesh)]);
    if (index < 0 || static_cast<size_t>(index) >= count || !std::isfinite(weight) || weight == 0.0) return;
    expression.morphs.emplace_back(instance.first_morph + index, static_cast<float>(weight));
}

double bind_weight(const Json& bind, double otherwise) {
    const Json& weight = gltf::member(bind, "weight");
    return weight.is_number() ? weight.get<double>() : otherwise;
}

// VRM 1.0 binds the morphs of nodes.
VrmExpression vrm1_expression(const Character& character, const std::string& name, const Json& json) {
    VrmExpression expression{name, {}};
    for (const Json& bind : gltf::array_at(json, "morphTargetBinds")) {
        const int32_t node = gltf::index_at(bind, "node"), index = gltf::index_at(bind, "index");
        for (const MeshInstance& instance : character.instances) {
            const auto joint = static_cast<size_t>(instance.joint);
            if (joint < character.joint_source.size() && character.joint_source[joint] == node && node >= 0)
                bind_morph(character, instance, index, bind_weight(bind, 1.0), expression);
        }
    }
    return expression;
}

// VRM 0 binds those of meshes, in percent.
VrmExpression vrm0_expression(const Character& character, const Json& json) {
    std::string preset = gltf::text_at(json, "presetName");
    for (char& c : preset) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    VrmExpression expression{gltf::text_at(json, "name"), {}};
    for (const auto& [old_name, new_name] : vrm0_presets)
        if (preset == old_name) expression.name = new_name;
    constexpr double percent = 0.01;
    for (const Json& bind : gltf::array_at(json, "binds")) {
        const int32_t mesh = gltf::index_at(bind, "mesh"), index = gltf::index_at(bind, "index");
        for (const MeshInstance& instance : character.instances)
            if (mesh >= 0 && character.meshes[static_cast<size_t>(instance.mesh)].source == mesh)
                bind_morph(character, instance, index, percent * bind_weight(bind, 100.0), expression);
    }
    return expression;
}

}  // namespace

std::vector<VrmExpression> read_face_expressions(const Character& character) {
    std::vector<VrmExpression> found;
    if (!character.source) return found;
    const auto add = [&](VrmExpression expression) {
        if (!expression.name.empty() && !expression.morphs.empty()) found.push_back(std::move(expression));
    };
    const Json& extensions = gltf::member(character.source->json, "extensions");
    const Json& expressions = gltf::member(gltf::member(extensions, "VRMC_vrm"), "expressions");
    for (const char* const group : {"preset", "custom"}) {
        const Json& list = gltf::member(expressions, group);
        if (!list.is_object()) continue;
        for (const auto& [name, json] : list.items()) add(vrm1_expression(character, name, json));
    }
    const Json& master = gltf::member(gltf::member(extensions, "VRM"), "blendShapeMaster");
    for (const Json& json : gltf::array_at(master, "blendShapeGroups")) add(vrm0_expression(character, json));
    return found;
}

}  // namespace sinew
