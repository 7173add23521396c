#include <sinew/io/bone_hints.h>

#include <sinew/io/gltf/document.h>
#include <cmath>

namespace sinew {
namespace {

using gltf::Json;

std::optional<Vec3> tail_of(const Json& extras) {
    const Json& tail = gltf::member(extras, "tail");
    if (tail.is_array() && tail.size() == 3 && tail[0].is_number() && tail[1].is_number() && tail[2].is_number()) {
        const Vec3 p(tail[0].get<float>(), tail[1].get<float>(), tail[2].get<float>());
        if (p.allFinite()) return p;
    }
    for (const char* key : {"length", "bone_length"}) {
        const Json& length = gltf::member(extras, key);
        if (length.is_number() && std::isfinite(length.get<float>()) && length.get<float>() > 0.0f)
            return Vec3(0.0f, length.get<float>(), 0.0f);
    }
    return std::nullopt;
}

bool deforms(const Json& extras) {
    for (const char* key : {"deform", "use_deform"}) {
        const Json& flag = gltf::member(extras, key);
        if (flag.is_boolean()) return flag.get<bool>();
        if (flag.is_number()) return flag.get<double>() != 0.0;
    }
    return true;
}

}  // namespace

BoneHints read_bone_hints(const Character& character) {
    BoneHints hints;
    if (!character.source) return hints;
    const Json& nodes = gltf::array_at(character.source->json, "nodes");
    const size_t count = character.skeleton.size();
    for (size_t j = 0; j < std::min(count, character.joint_source.size()); ++j) {
        const int32_t node = character.joint_source[j];
        if (node < 0 || static_cast<size_t>(node) >= nodes.size()) continue;
        const Json& extras = gltf::member(nodes[static_cast<size_t>(node)], "extras");
        if (!extras.is_object()) continue;
        if (const auto tail = tail_of(extras)) {
            hints.tails.resize(count);
            hints.tails[j] = tail;
        }
        if (!deforms(extras)) {
            hints.deform.resize(count, 1);
            hints.deform[j] = 0;
        }
    }
    return hints;
}

}  // namespace sinew
