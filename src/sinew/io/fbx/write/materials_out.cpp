#include <fmt/format.h>

#include <sinew/io/fbx/materials.h>
#include <sinew/io/fbx/write/output.h>
#include <sinew/io/surface_maps.h>
#include <algorithm>
#include <map>

namespace sinew::fbx {
namespace {

constexpr int32_t material_version = 102, texture_version = 202;

void add_color(Record& properties, std::string_view name, const Vec3& color) {
    properties.add("P", name, "Color", "", "A", Vec3d(color.cast<double>()));
}

void add_number(Record& properties, std::string_view name, double number) {
    properties.add("P", name, "Number", "", "A", number);
}

// The ending that programs know a picture by.
std::string_view ending_of(const Image& image) {
    if (image.mime_type == "image/jpeg") return ".jpg";
    if (image.mime_type == "image/webp") return ".webp";
    if (image.mime_type == "image/ktx2") return ".ktx2";
    return ".png";
}

std::string file_name(const Image& image, const std::string& name) {
    if (!image.uri.empty()) return image.uri;
    return name + std::string(ending_of(image));
}

class LookWriter {
public:
    explicit LookWriter(Output& output) : output_(output) {}

    int64_t write(const Material& material, const std::string& name) {
        const int64_t id = output_.new_id();
        Record record = output_.object("Material", id, name, "Material", "");
        record.add("Version", material_version);
        record.add("ShadingModel", "phong");
        record.add("MultiLayer", int32_t(0));
        add_properties(material, record.add("Properties70"));
        output_.objects.add(std::move(record));
        if (material.base_color_image >= 0) {
            output_.connect(texture(material.base_color_image), id, "DiffuseColor");
            if (material.alpha_mode != AlphaMode::opaque)
                output_.connect(texture(material.base_color_image), id, "TransparencyFactor");
        }
        if (material.normal_image >= 0) output_.connect(texture(material.normal_image), id, "NormalMap");
        if (material.emissive_image >= 0) output_.connect(texture(material.emissive_image), id, "EmissiveColor");
        if (material.metallic_roughness_image >= 0) {
            connect_channel(material.metallic_roughness_image, SurfaceChannel::roughness, id, "ShininessExponent");
            connect_channel(material.metallic_roughness_image, SurfaceChannel::metalness, id, "ReflectionFactor");
        }
        return id;
    }

private:
    // Phong's terms as Blender reads and writes them for a metallic-roughness surface; what they cannot say stands in
    // properties of our own.
    static void add_properties(const Material& material, Record& properties) {
        const double opacity = double(material.base_color.w());
        add_color(properties, "DiffuseColor", material.base_color.head<3>());
        add_number(properties, "DiffuseFactor", 1.0);
        add_color(properties, "EmissiveColor", material.emissive);
        add_number(properties, "EmissiveFactor", 1.0);
        add_color(properties, "TransparentColor", Vec3::Ones());
        add_number(properties, "TransparencyFactor", 1.0 - opacity);
        properties.add("P", "Opacity", "double", "Number", "", opacity);
        add_color(properties, "SpecularColor", Vec3::Ones());
        add_number(properties, "SpecularFactor", plain_specular);
        const double shininess = shininess_from_roughness(double(material.roughness));
        add_number(properties, "Shininess", shininess);
        add_number(properties, "ShininessExponent", shininess);
        add_color(properties, "ReflectionColor", Vec3::Ones());
        add_number(properties, "ReflectionFactor", double(material.metallic));
        properties.add("P", alpha_mode_property, "KString", "", "U", alpha_mode_name(material.alpha_mode));
        properties.add("P", alpha_cutoff_property, "double", "Number", "U", double(material.alpha_cutoff));
        properties.add("P", double_sided_property, "int", "Integer", "U", int32_t(material.double_sided));
    }

    void connect_channel(int32_t number, SurfaceChannel channel, int64_t material, std::string_view property) {
        int64_t& id = texture_of_channel_[{number, channel}];
        Image packed = output_.character.images[size_t(number)];
        if (packed.name.empty()) packed.name = fmt::format("image_{}", number);
        if (id == 0)
            if (const auto grey = surface_channel(packed, channel)) id = write_texture(*grey, packed.name);
        if (id != 0) output_.connect(id, material, property);
    }

    int64_t texture(int32_t number) {
        int64_t& id = texture_of_image_[number];
        if (id == 0) id = write_texture(output_.character.images[size_t(number)], fmt::format("image_{}", number));
        return id;
    }

    int64_t write_texture(const Image& image, const std::string& otherwise) {
        const std::string name = names_.take(image.name, otherwise);
        const std::string file = file_name(image, name);
        const int64_t video = write_video(image, name, file);
        const int64_t id = output_.new_id();
        Record record = output_.object("Texture", id, name, "Texture", "");
        record.add("Type", "TextureVideoClip");
        record.add("Version", texture_version);
        record.add("TextureName", name_with_class(name, "Texture"));
        record.add("Media", name_with_class(name, "Video"));
        record.add("FileName", file);
        record.add("RelativeFilename", file);
        Record& properties = record.add("Properties70");
        properties.add("P", "UseMaterial", "bool", "", "", int32_t(1));
        output_.objects.add(std::move(record));
        output_.connect(video, id);
        return id;
    }

    int64_t write_video(const Image& image, const std::string& name, const std::string& file) {
        const int64_t id = output_.new_id();
        Record record = output_.object("Video", id, name, "Video", "Clip");
        record.add("Type", "Clip");
        record.add("Properties70").add("P", "Path", "KString", "XRefUrl", "", file);
        record.add("UseMipMap", int32_t(0));
        record.add("Filename", file);
        record.add("RelativeFilename", file);
        if (!image.bytes.view.empty()) record.add("Content", image.bytes.view);
        output_.objects.add(std::move(record));
        return id;
    }

    static constexpr double plain_specular = 0.25;  // Blender reads it as a specular of 0.5, its own default

    Output& output_;
    UniqueNames names_;
    std::map<int32_t, int64_t> texture_of_image_;
    std::map<std::pair<int32_t, SurfaceChannel>, int64_t> texture_of_channel_;
};

// Some polygons of a mesh have a material and others none: FBX needs one for all of them.
bool needs_plain_material(const Character& character) {
    return std::ranges::any_of(character.meshes, [](const MeshGroup& mesh) {
        const auto has = [](const Primitive& p) { return p.material >= 0; };
        return std::ranges::any_of(mesh.primitives, has) && !std::ranges::all_of(mesh.primitives, has);
    });
}

}  // namespace

void write_materials(Output& output) {
    LookWriter writer(output);
    UniqueNames names;
    for (size_t m = 0; m < output.character.materials.size(); ++m) {
        const Material& material = output.character.materials[m];
        output.materials.push_back(writer.write(material, names.take(material.name, fmt::format("material_{}", m))));
    }
    if (needs_plain_material(output.character)) output.materials.push_back(writer.write({}, names.take("plain", "")));
}

}  // namespace sinew::fbx
