#include <assimp/material.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <sinew/image/image_type.h>
#include <sinew/io/assimp/scene.h>
#include <sinew/io/obj/mtl.h>
#include <sinew/io/resources.h>
#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>

namespace sinew {
namespace {

// A texture inside the file: the encoded picture as it was, or nothing (raw pixels would have to be encoded anew).
std::optional<Image> embedded_image(const aiTexture& texture) {
    if (texture.mHeight != 0 || texture.mWidth == 0 || texture.pcData == nullptr) return std::nullopt;
    const auto* data = reinterpret_cast<const std::byte*>(texture.pcData);
    Image image;
    image.bytes = SharedBytes::own(Bytes(data, data + texture.mWidth));
    image.name = std::filesystem::path(texture.mFilename.C_Str()).stem().string();
    image.mime_type = image_mime_type(image.bytes.view);
    return image;
}

class MaterialReader {
public:
    explicit MaterialReader(AssimpScene& scene) : scene_(scene) {}

    void warn() { warn_of_missing_pictures(missing_, scene_.character.warnings); }

    Material read(const aiMaterial& source) {
        Material material;
        material.name = source.GetName().C_Str();
        aiColor4D color;
        if (source.Get(AI_MATKEY_BASE_COLOR, color) == AI_SUCCESS ||
            source.Get(AI_MATKEY_COLOR_DIFFUSE, color) == AI_SUCCESS)
            material.base_color.head<3>() = unit_color(color);
        if (source.Get(AI_MATKEY_COLOR_EMISSIVE, color) == AI_SUCCESS) material.emissive = unit_color(color);
        float value = 0;
        if (source.Get(AI_MATKEY_ROUGHNESS_FACTOR, value) == AI_SUCCESS)
            material.roughness = std::clamp(value, 0.0f, 1.0f);
        else if (source.Get(AI_MATKEY_SHININESS, value) == AI_SUCCESS && value > 0)
            material.roughness = roughness_from_exponent(value);
        if (source.Get(AI_MATKEY_METALLIC_FACTOR, value) == AI_SUCCESS)
            material.metallic = std::clamp(value, 0.0f, 1.0f);
        // Files state an opacity of 0 where they mean nothing by it.
        if (source.Get(AI_MATKEY_OPACITY, value) == AI_SUCCESS && value > 0 && value < 1) {
            material.base_color[3] = value;
            material.alpha_mode = AlphaMode::blend;
        }
        int two_sided = 0;
        material.double_sided = source.Get(AI_MATKEY_TWOSIDED, two_sided) == AI_SUCCESS && two_sided != 0;
        material.base_color_image = image_of(source, {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE});
        material.normal_image = image_of(source, {aiTextureType_NORMALS, aiTextureType_NORMAL_CAMERA});
        material.emissive_image = image_of(source, {aiTextureType_EMISSION_COLOR, aiTextureType_EMISSIVE});
        if (material.emissive_image >= 0) material.emissive.setOnes();
        if (material.base_color_image >= 0) material.base_color.head<3>().setOnes();  // it replaces the colour
        return material;
    }

private:
    static Vec3 unit_color(const aiColor4D& color) {
        const Vec3 rgb(color.r, color.g, color.b);
        return rgb.allFinite() ? Vec3(rgb.cwiseMax(0.0f).cwiseMin(1.0f)) : Vec3(Vec3::Ones());
    }

    // The picture of the first of the types that has one.
    int32_t image_of(const aiMaterial& source, std::initializer_list<aiTextureType> types) {
        aiString path;
        const auto found = std::ranges::find_if(
            types, [&](aiTextureType type) { return source.GetTexture(type, 0, &path) == AI_SUCCESS; });
        if (found == types.end()) return -1;
        const std::string name = path.C_Str();
        const auto [known, is_new] = image_of_path_.try_emplace(name, -1);
        if (!is_new) return known->second;
        const aiTexture* embedded = scene_.scene.GetEmbeddedTexture(name.c_str());
        auto image = embedded != nullptr ? embedded_image(*embedded) : image_beside({name}, scene_.options);
        if (!image) {
            missing_.push_back(name);
            return -1;
        }
        scene_.character.images.push_back(*std::move(image));
        return known->second = int32_t(scene_.character.images.size() - 1);
    }

    AssimpScene& scene_;
    std::vector<std::string> missing_;
    std::map<std::string, int32_t> image_of_path_;
};

}  // namespace

void add_materials(AssimpScene& scene) {
    MaterialReader reader(scene);
    for (unsigned i = 0; i < scene.scene.mNumMaterials; ++i) {
        const aiMaterial* material = scene.scene.mMaterials[i];
        scene.character.materials.push_back(material != nullptr ? reader.read(*material) : Material{});
    }
    reader.warn();
}

}  // namespace sinew
