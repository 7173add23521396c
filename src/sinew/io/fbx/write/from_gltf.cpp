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

int32_t image_of_slot(const Character& character, const Material& material, const char* slot) {
    if (character.source == nullptr) return -1;
    const Json& root = character.source->json;
    const Json* json = element_at(gltf::array_at(root, "materials"), material.source);
    const Json& info = json != nullptr ? gltf::member(*json, slot) : gltf::member(root, "");
    const Json& index = gltf::member(info, "index");
    if (!index.is_number_unsigned()) return -1;
    const Json* texture = element_at(gltf::array_at(root, "textures"), index.get<int32_t>());
    const int32_t source = texture != nullptr ? gltf::index_at(*texture, "source") : -1;
    for (size_t i = 0; i < character.images.size() && source >= 0; ++i)
        if (character.images[i].source == source) return int32_t(i);
    return -1;
}

}  // namespace

int32_t normal_image(const Character& character, const Material& material) {
    return image_of_slot(character, material, "normalTexture");
}

int32_t emissive_image(const Character& character, const Material& material) {
    return image_of_slot(character, material, "emissiveTexture");
}

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
