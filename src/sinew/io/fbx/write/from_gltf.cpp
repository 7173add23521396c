#include <fmt/format.h>

#include <sinew/io/fbx/write/from_gltf.h>
#include <sinew/io/gltf/accessor.h>

namespace sinew::fbx {
namespace {

using gltf::Json;

// The element of an array that an index names; null where there is none.
const Json* element_at(const Json& array, int32_t index) {
    return index >= 0 && array.is_array() && size_t(index) < array.size() ? &array[size_t(index)] : nullptr;
}

}  // namespace

std::vector<Vec2> further_uvs(const Character& character, const MeshGroup& mesh, const Primitive& primitive, int set) {
    if (character.source == nullptr) return {};
    const Json* group = element_at(gltf::array_at(character.source->json, "meshes"), mesh.source);
    if (group == nullptr) return {};
    const Json* json = element_at(gltf::array_at(*group, "primitives"), primitive.source);
    if (json == nullptr) return {};
    const Json& number = gltf::member(gltf::member(*json, "attributes"), fmt::format("TEXCOORD_{}", set).c_str());
    if (!number.is_number_unsigned()) return {};
    const auto accessor = gltf::open_accessor(*character.source, number.get<size_t>());
    if (!accessor || accessor->components != 2 || accessor->count != primitive.mesh.vertex_count()) return {};
    std::vector<Vec2> uvs(accessor->count);
    gltf::read_floats(*accessor, std::span(reinterpret_cast<float*>(uvs.data()), 2 * uvs.size()));
    for (Vec2& uv : uvs)
        if (!uv.allFinite()) uv.setZero();
    return uvs;
}

}  // namespace sinew::fbx
