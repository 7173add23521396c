#include <cmath>

#include <sinew/image/image_type.h>
#include <sinew/io/gltf/parts.h>

namespace sinew::gltf {
namespace {

template <class Vector>
void read_factor(const Json& object, const char* key, Vector& out) {
    const Json& values = member(object, key);
    if (!values.is_array()) return;
    for (int i = 0; i < static_cast<int>(values.size()); ++i) out[i] = values[static_cast<size_t>(i)].get<float>();
}

// Pictures in formats that an extension adds stand in that extension; the plain source, if any, is their fallback.
int32_t image_of_texture(const GltfDocument& document, const Json& texture) {
    const int32_t source = index_at(texture, "source");
    if (source >= 0) return source;
    const Json& extensions = member(texture, "extensions");
    for (const char* name : {"EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif"}) {
        const Json& image = member(member(extensions, name), "source");
        if (image.is_number_unsigned() && image.get<uint64_t>() < array_at(document.json, "images").size()) {
            return image.get<int32_t>();
        }
    }
    return -1;
}

}  // namespace

Material read_material(const GltfDocument& document, size_t index) {
    const Json& json = document.json["materials"][index];
    const Json& pbr = member(json, "pbrMetallicRoughness");
    Material material{.name = text_at(json, "name"), .source = static_cast<int32_t>(index)};
    read_factor(pbr, "baseColorFactor", material.base_color);
    material.metallic = static_cast<float>(number_at(pbr, "metallicFactor", 1.0));
    material.roughness = static_cast<float>(number_at(pbr, "roughnessFactor", 1.0));
    read_factor(json, "emissiveFactor", material.emissive);
    const std::string mode = text_at(json, "alphaMode", "OPAQUE");
    if (mode == "MASK") material.alpha_mode = AlphaMode::mask;
    if (mode == "BLEND") material.alpha_mode = AlphaMode::blend;
    material.alpha_cutoff = static_cast<float>(number_at(json, "alphaCutoff", 0.5));
    material.double_sided = flag_at(json, "doubleSided");
    const auto image_in = [&document](const Json& object, const char* slot) {
        const Json& textures = array_at(document.json, "textures");
        const Json& texture = member(member(object, slot), "index");
        const bool exists = texture.is_number_unsigned() && texture.get<uint64_t>() < textures.size();
        return exists ? image_of_texture(document, textures[texture.get<size_t>()]) : -1;
    };
    material.base_color_image = image_in(pbr, "baseColorTexture");
    material.metallic_roughness_image = image_in(pbr, "metallicRoughnessTexture");
    material.normal_image = image_in(json, "normalTexture");
    material.occlusion_image = image_in(json, "occlusionTexture");
    material.emissive_image = image_in(json, "emissiveTexture");
    return material;
}

Image read_image(const GltfDocument& document, size_t index) {
    const Json& json = document.json["images"][index];
    Image image{.name = text_at(json, "name"),
                .mime_type = text_at(json, "mimeType"),
                .uri = text_at(json, "uri"),
                .bytes = document.images[index],
                .source = static_cast<int32_t>(index)};
    if (image.mime_type.empty()) image.mime_type = image_mime_type(image.bytes.view);
    return image;
}

}  // namespace sinew::gltf
