#include <fmt/format.h>

#include <sinew/image/image_type.h>
#include <sinew/io/fbx/materials.h>
#include <sinew/io/fbx/scene.h>
#include <sinew/io/obj/mtl.h>
#include <sinew/io/resources.h>
#include <sinew/io/surface_maps.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>

namespace sinew::fbx {
namespace {

// What programs call the same thing, the most telling name first.
constexpr std::array<std::string_view, 5> base_color_names = {"Maya|baseColor", "Maya|base_color",
                                                              "3dsMax|Parameters|base_color",
                                                              "3dsMax|Parameters|basecolor", "Maya|TEX_color_map"};
constexpr std::array<std::string_view, 5> roughness_names = {"Maya|roughness", "Maya|specularRoughness",
                                                             "3dsMax|Parameters|roughness",
                                                             "3dsMax|Parameters|Roughness", "Maya|specular_roughness"};
constexpr std::array<std::string_view, 4> metallic_names = {
    "Maya|metalness", "Maya|metallic", "3dsMax|Parameters|metalness", "3dsMax|Parameters|metallic"};
constexpr std::array<std::string_view, 6> roughness_map_names = {
    "Maya|TEX_roughness_map",          "Maya|roughness",          "Maya|specularRoughness",
    "3dsMax|Parameters|roughness_map", "Maya|specular_roughness", "roughness"};
constexpr std::array<std::string_view, 6> metalness_map_names = {
    "Maya|TEX_metallic_map",           "Maya|metalness", "Maya|metallic",
    "3dsMax|Parameters|metalness_map", "metalness",      "metallic"};
// Blender says them in Phong's terms, and so do we.
constexpr std::array<std::string_view, 2> phong_roughness_map_names = {"ShininessExponent", "Shininess"};
constexpr std::array<std::string_view, 1> phong_metalness_map_names = {"ReflectionFactor"};
constexpr std::array<std::string_view, 4> normal_map_names = {"NormalMap", "Maya|TEX_normal_map", "Maya|normalCamera",
                                                              "3dsMax|Parameters|norm_map"};
constexpr std::array<std::string_view, 2> bump_map_names = {"Bump", "3dsMax|Parameters|bump_map"};
constexpr std::array<std::string_view, 2> occlusion_map_names = {"Maya|TEX_ao_map", "3dsMax|Parameters|ao_map"};
constexpr std::array<std::string_view, 6> emissive_map_names = {
    "Maya|TEX_emissive_map", "Maya|emissionColor", "Maya|emission_color", "3dsMax|Parameters|emit_color_map",
    "EmissiveColor",         "EmissionColor"};
constexpr std::array<std::string_view, 9> color_map_names = {"Maya|TEX_color_map",
                                                             "Maya|baseColor",
                                                             "Maya|base_color",
                                                             "3dsMax|Parameters|base_color_map",
                                                             "3dsMax|Parameters|base_color",
                                                             "3dsMax|Parameters|basecolor_map",
                                                             "3dsMax|Parameters|Main|baseTexture",
                                                             "BaseColor",
                                                             "DiffuseColor"};

Vec3 unit_color(const Vec3d& color) {
    return color.cwiseMax(0.0).cwiseMin(1.0).cast<float>();
}

// The letters of base64 to bytes; others (line ends) are skipped.
Bytes from_base64(std::string_view text) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Bytes bytes;
    uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const size_t digit = alphabet.find(c);
        if (digit == std::string_view::npos) continue;
        bits = bits << 6 | uint32_t(digit);
        if ((count += 6) >= 8) bytes.push_back(std::byte(bits >> (count -= 8) & 0xff));
    }
    return bytes;
}

class MaterialAdder {
public:
    explicit MaterialAdder(Scene& scene) : scene_(scene) {
        const std::string_view creator = creator_of(*scene.graph.document);
        is_ours_ = creator.starts_with(our_name);
        is_metallic_phong_ = is_ours_ || creator.starts_with("Blender");
    }

    void warn() { warn_of_missing_pictures(missing_, scene_.character.warnings); }

    Material read(int32_t object) {
        const Object& source = scene_.graph.objects[size_t(object)];
        Material material;
        material.name = source.name;
        material.base_color.head<3>() = unit_color(base_color(source));
        material.emissive =
            unit_color(color(source, "EmissiveColor", "Emissive", Vec3d::Zero()) * source.real("EmissiveFactor", 1.0));
        set_roughness(source, material);
        for (const std::string_view name : metallic_names)
            if (source.has(name)) material.metallic = float(std::clamp(source.real(name, 0), 0.0, 1.0));
        // Files state an opacity of 0 where they mean nothing by it.
        if (const double opacity = opacity_of(source); opacity > 0 && opacity < 1) {
            material.base_color[3] = float(opacity);
            material.alpha_mode = AlphaMode::blend;
        }
        material.base_color_image = base_color_image(object);
        set_maps(object, material);
        if (is_ours_)
            set_own_properties(source, material);
        else if (material.base_color_image >= 0)
            material.base_color.head<3>().setOnes();  // it replaces the colour
        return material;
    }

private:
    // As a property, or, before 6000, as a record of the material.
    static Vec3d color(const Object& source, std::string_view property, std::string_view record,
                       const Vec3d& otherwise) {
        if (source.has(property)) return source.vector(property, otherwise);
        const Node* node = source.node->find(record);
        if (node == nullptr) return otherwise;
        const Vec3d value(node->real(0), node->real(1), node->real(2));
        return value.allFinite() ? value : otherwise;
    }

    static Vec3d base_color(const Object& source) {
        for (const std::string_view name : base_color_names)
            if (source.has(name)) return source.vector(name, Vec3d::Ones());
        return color(source, "DiffuseColor", "Diffuse", Vec3d::Ones()) * source.real("DiffuseFactor", 1.0);
    }

    static std::string_view creator_of(const Document& document) {
        const Node* header = document.root.find("FBXHeaderExtension");
        const Node* creator = header != nullptr ? header->find("Creator") : nullptr;
        if (creator == nullptr) creator = document.root.find("Creator");
        return creator != nullptr ? creator->text(0) : std::string_view();
    }

    static void set_own_properties(const Object& source, Material& material) {
        for (const AlphaMode mode : {AlphaMode::opaque, AlphaMode::mask, AlphaMode::blend})
            if (source.text(alpha_mode_property) == alpha_mode_name(mode)) material.alpha_mode = mode;
        material.alpha_cutoff = float(std::clamp(source.real(alpha_cutoff_property, 0.5), 0.0, 1.0));
        material.double_sided = source.integer(double_sided_property, 0) != 0;
    }

    void set_roughness(const Object& source, Material& material) const {
        if (is_metallic_phong_ && source.has("Shininess") && source.has("ReflectionFactor")) {
            material.roughness = float(roughness_from_shininess(source.real("Shininess", 0)));
            material.metallic = float(std::clamp(source.real("ReflectionFactor", 0), 0.0, 1.0));
            return;
        }
        for (const std::string_view name : roughness_names)
            if (source.has(name)) {
                material.roughness = float(std::clamp(source.real(name, 0.8), 0.0, 1.0));
                return;
            }
        const double exponent = source.real("ShininessExponent", source.real("Shininess", 0));
        if (exponent > 0) material.roughness = roughness_from_exponent(float(exponent));
    }

    static double opacity_of(const Object& source) {
        if (source.has("TransparencyFactor"))
            return 1 - source.real("TransparencyFactor", 0) * source.vector("TransparentColor", Vec3d::Ones()).mean();
        return source.real("Opacity", 1.0);
    }

    int32_t base_color_image(int32_t material) {
        const int32_t image = linked_image(material, color_map_names);
        return image >= 0 ? image : old_image(material);
    }

    // The picture that feeds the first of the properties that has one.
    int32_t linked_image(int32_t material, std::span<const std::string_view> properties) {
        for (const std::string_view name : properties)
            for (const Link& link : scene_.graph.children[size_t(material)]) {
                if (link.property != name) continue;
                if (const int32_t texture = texture_below(link.object); texture >= 0) return image_of(texture);
            }
        return -1;
    }

    // A map replaces the number that it stands beside, except in our own files, where it is multiplied with it.
    void set_maps(int32_t object, Material& material) {
        material.normal_image = linked_image(object, normal_map_names);
        if (material.normal_image < 0)
            if (const int32_t bump = linked_image(object, bump_map_names); bump >= 0 && looks_like_normals(image(bump)))
                material.normal_image = bump;
        material.occlusion_image = linked_image(object, occlusion_map_names);
        material.emissive_image = linked_image(object, emissive_map_names);
        if (material.emissive_image >= 0 && !is_ours_) material.emissive.setOnes();
        int32_t roughness = linked_image(object, roughness_map_names);
        int32_t metalness = linked_image(object, metalness_map_names);
        if (is_metallic_phong_ && roughness < 0) roughness = linked_image(object, phong_roughness_map_names);
        if (is_metallic_phong_ && metalness < 0) metalness = linked_image(object, phong_metalness_map_names);
        material.metallic_roughness_image = surface_image(roughness, metalness);
        if (material.metallic_roughness_image < 0 || is_ours_) return;
        if (roughness >= 0) material.roughness = 1;
        if (metalness >= 0) material.metallic = 1;
    }

    int32_t surface_image(int32_t roughness, int32_t metalness) {
        const auto [known, is_new] = surface_of_maps_.try_emplace({roughness, metalness}, -1);
        if (is_new) known->second = add_surface_image(scene_.character, roughness, metalness);
        return known->second;
    }

    const Image& image(int32_t number) const { return scene_.character.images[size_t(number)]; }

    // Before 7000 a texture belongs to the model, beside the material.
    int32_t old_image(int32_t material) {
        for (const int32_t model : scene_.graph.parents_of(material, "Model")) {
            const std::vector<int32_t> textures = scene_.graph.children_of(model, "Texture");
            const std::vector<int32_t> materials = scene_.graph.children_of(model, "Material");
            const auto place = size_t(std::find(materials.begin(), materials.end(), material) - materials.begin());
            if (place < textures.size()) return image_of(textures[place]);
        }
        return -1;
    }

    // The texture itself, or the lowest of layers.
    int32_t texture_below(int32_t object) const {
        if (scene_.graph.objects[size_t(object)].kind == "Texture") return object;
        if (scene_.graph.objects[size_t(object)].kind != "LayeredTexture") return -1;
        const std::vector<int32_t> layers = scene_.graph.children_of(object, "Texture");
        return layers.empty() ? -1 : layers[0];
    }

    int32_t image_of(int32_t texture) {
        const auto [known, is_new] = image_of_texture_.try_emplace(texture, -1);
        if (is_new) known->second = load(texture);
        return known->second;
    }

    static std::string_view text_of(const Node& node, std::string_view record) {
        const Node* found = node.find(record);
        return found != nullptr ? found->text(0) : std::string_view();
    }

    int32_t load(int32_t texture) {
        const Object& source = scene_.graph.objects[size_t(texture)];
        std::vector<std::string> names;
        const auto add_names = [&names](const Node& node) {
            for (const std::string_view record : {"RelativeFilename", "FileName", "Filename"})
                if (const std::string_view name = text_of(node, record); !name.empty()) names.emplace_back(name);
        };
        add_names(*source.node);
        for (const int32_t video : scene_.graph.children_of(texture, "Video")) {
            const Object& object = scene_.graph.objects[size_t(video)];
            if (auto image = embedded(object)) return add(*std::move(image));
            add_names(*object.node);
        }
        if (names.empty()) return -1;
        if (const auto found = image_of_file_.find(names[0]); found != image_of_file_.end()) return found->second;
        int32_t result = -1;
        if (auto image = image_beside(names, scene_.options))
            result = add(*std::move(image));
        else
            missing_.push_back(names[0]);
        return image_of_file_[names[0]] = result;
    }

    // Binary files hold the picture's bytes, text files their base64 in pieces.
    std::optional<Image> embedded(const Object& video) {
        const Node* content = video.node->find("Content");
        if (content == nullptr) return std::nullopt;
        Image image;
        image.name = std::filesystem::path(video.name).stem().string();
        if (scene_.graph.document->is_text) {
            std::string text;
            for (const Value& piece : content->values) text += piece.text;
            image.bytes = SharedBytes::own(from_base64(text));
        } else if (!content->values.empty()) {
            const std::string_view bytes = content->values[0].text;
            const SharedBytes& file = scene_.graph.document->file;
            if (!bytes.empty()) image.bytes = file.part(size_t(bytes.data() - as_text(file.view).data()), bytes.size());
        }
        if (image.bytes.view.empty()) return std::nullopt;
        image.mime_type = image_mime_type(image.bytes.view);
        return image;
    }

    int32_t add(Image image) {
        scene_.character.images.push_back(std::move(image));
        return int32_t(scene_.character.images.size() - 1);
    }

    Scene& scene_;
    std::vector<std::string> missing_;
    bool is_ours_ = false, is_metallic_phong_ = false;
    std::map<int32_t, int32_t> image_of_texture_;
    std::map<std::string, int32_t> image_of_file_;
    std::map<std::pair<int32_t, int32_t>, int32_t> surface_of_maps_;
};

}  // namespace

void add_materials(Scene& scene) {
    scene.material_of_object.assign(scene.graph.objects.size(), -1);
    MaterialAdder adder(scene);
    for (size_t o = 1; o < scene.graph.objects.size(); ++o) {
        if (scene.graph.objects[o].kind != "Material") continue;
        scene.material_of_object[o] = int32_t(scene.character.materials.size());
        scene.character.materials.push_back(adder.read(int32_t(o)));
    }
    adder.warn();
}

}  // namespace sinew::fbx
