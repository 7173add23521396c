#include <algorithm>

#include <sinew/io/gltf/uri.h>
#include <sinew/io/gltf/write/draft.h>

namespace sinew::gltf {
namespace {

bool equal(const SharedBytes& a, const SharedBytes& b) {
    if (a.view.size() != b.view.size()) return false;
    return a.view.data() == b.view.data() || std::equal(a.view.begin(), a.view.end(), b.view.begin());
}

void use_extension(Draft& draft, const char* name) {
    for (const char* list : {"extensionsUsed", "extensionsRequired"}) {
        Json& names = root_array(draft, list);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
}

// A texture that shows the image as it is, with the default sampler.
size_t texture_of_image(Draft& draft, size_t image) {
    Json texture = {{"source", image}};
    if (text_at(draft.json["images"][image], "mimeType") == "image/webp") {
        texture = {{"extensions", {{"EXT_texture_webp", {{"source", image}}}}}};
        use_extension(draft, "EXT_texture_webp");
    }
    Json& textures = root_array(draft, "textures");
    const auto it = std::find(textures.begin(), textures.end(), texture);
    if (it != textures.end()) return static_cast<size_t>(it - textures.begin());
    textures.push_back(std::move(texture));
    return textures.size() - 1;
}

const char* alpha_name(AlphaMode mode) {
    switch (mode) {
        case AlphaMode::opaque:
            return "OPAQUE";
        case AlphaMode::mask:
            return "MASK";
        case AlphaMode::blend:
            return "BLEND";
    }
    return "OPAQUE";
}

template <class Vector>
Json factor(const Vector& value) {
    return to_json({value.data(), static_cast<size_t>(value.size())});
}

void write_picture(Draft& draft, Json& object, const char* slot, int32_t was, int32_t now) {
    if (now == was) return;
    object.erase(slot);
    if (now >= 0) object[slot] = {{"index", texture_of_image(draft, static_cast<size_t>(now))}};
}

void write_pbr(Draft& draft, const Material& was, const Material& now, size_t number) {
    Json pbr = member(draft.json["materials"][number], "pbrMetallicRoughness");
    const Json before = pbr;
    if (!pbr.is_object()) pbr = Json::object();
    if (now.base_color != was.base_color) pbr["baseColorFactor"] = factor(now.base_color);
    if (now.metallic != was.metallic) pbr["metallicFactor"] = now.metallic;
    if (now.roughness != was.roughness) pbr["roughnessFactor"] = now.roughness;
    write_picture(draft, pbr, "baseColorTexture", was.base_color_image, now.base_color_image);
    write_picture(draft, pbr, "metallicRoughnessTexture", was.metallic_roughness_image, now.metallic_roughness_image);
    if (pbr != before && !pbr.empty()) draft.json["materials"][number]["pbrMetallicRoughness"] = std::move(pbr);
}

// What a material is when its JSON says nothing.
Material unstated_material() {
    Material material;
    material.metallic = material.roughness = 1.0f;
    return material;
}

}  // namespace

void write_images(Draft& draft, const Character& character, Numbers& numbers) {
    std::vector<int32_t> sources;
    for (const Image& image : character.images) sources.push_back(image.source);
    const size_t existing = draft.source.images.size();
    numbers.images = number_items(draft, "images", sources).number;
    draft.image_bytes = draft.source.images;
    draft.image_bytes.resize(array_at(draft.json, "images").size());
    for (size_t i = 0; i < character.images.size(); ++i) {
        const Image& image = character.images[i];
        const size_t number = numbers.images[i];
        Json& json = draft.json["images"][number];
        const Image was = number < existing ? read_image(draft.source, number) : Image{};
        set_text(json, "name", image.name);
        const bool same_bytes = number < existing && equal(was.bytes, image.bytes);
        if (same_bytes && was.uri == image.uri) continue;
        draft.image_bytes[number] = image.bytes;
        if (!same_bytes) json.erase("bufferView");
        set_text(json, "uri", json.contains("bufferView") ? std::string() : percent_encode(percent_decode(image.uri)));
        set_text(json, "mimeType", image.mime_type);
    }
}

void write_materials(Draft& draft, const Character& character, Numbers& numbers) {
    std::vector<int32_t> sources;
    for (const Material& material : character.materials) sources.push_back(material.source);
    Numbering numbering = number_items(draft, "materials", sources);
    numbers.materials = std::move(numbering.number);
    numbers.abandoned_materials = std::move(numbering.abandoned);
    const size_t existing = array_at(draft.source.json, "materials").size();
    for (size_t m = 0; m < character.materials.size(); ++m) {
        Material now = character.materials[m];
        for (const auto image : material_images)
            if (now.*image >= 0) now.*image = static_cast<int32_t>(numbers.images[static_cast<size_t>(now.*image)]);
        const size_t number = numbers.materials[m];
        const bool known = now.source >= 0 && static_cast<size_t>(now.source) < existing;
        const Material was = known ? read_material(draft.source, static_cast<size_t>(now.source)) : unstated_material();
        write_pbr(draft, was, now, number);
        Json json = draft.json["materials"][number];
        write_picture(draft, json, "normalTexture", was.normal_image, now.normal_image);
        write_picture(draft, json, "occlusionTexture", was.occlusion_image, now.occlusion_image);
        write_picture(draft, json, "emissiveTexture", was.emissive_image, now.emissive_image);
        set_text(json, "name", now.name);
        if (now.emissive != was.emissive) json["emissiveFactor"] = factor(now.emissive);
        if (now.alpha_mode != was.alpha_mode) json["alphaMode"] = alpha_name(now.alpha_mode);
        if (now.alpha_cutoff != was.alpha_cutoff) json["alphaCutoff"] = now.alpha_cutoff;
        if (now.alpha_mode != AlphaMode::mask && !known) json.erase("alphaCutoff");
        if (now.double_sided != was.double_sided) json["doubleSided"] = now.double_sided;
        draft.json["materials"][number] = std::move(json);
    }
}

}  // namespace sinew::gltf
