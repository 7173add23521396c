#include <fmt/format.h>

#include <sinew/character/character_deformer.h>
#include <sinew/image/image_type.h>
#include <sinew/io/obj/mtl.h>
#include <sinew/io/obj/obj.h>
#include <sinew/io/text_scan.h>
#include <sinew/mesh/topology.h>
#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {
namespace {

// A name that stands behind "o" or "usemtl" and comes back as it is: one line, no comment, no continuation, unique.
std::string unique_name(std::string_view wanted, std::string_view otherwise, std::set<std::string>& taken) {
    std::string name(trim(wanted));
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c < 32 || c == '#' || c == '\\'; }, '_');
    if (name.empty()) name = otherwise;
    std::string candidate = name;
    for (size_t i = 2; !taken.insert(candidate).second; ++i) candidate = fmt::format("{}_{}", name, i);
    return candidate;
}

Bytes to_bytes(std::string_view text) {
    const ByteSpan bytes = as_byte_span(text);
    return Bytes(bytes.begin(), bytes.end());
}

double srgb_from_linear(double c) {
    c = std::clamp(c, 0.0, 1.0);
    return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

// 1 − v with as many digits as the reader needs to find v again.
void write_flipped(std::string& text, float v) {
    const double flipped = 1.0 - static_cast<double>(v);
    const std::string digits = fmt::format("{:.9g}", flipped);
    if (static_cast<float>(1.0 - parse_number(digits).value_or(0.0)) == v)
        text += digits;
    else
        fmt::format_to(std::back_inserter(text), "{:.17g}", flipped);
}

// Where the next vertex stands in the file's three lists.
struct Counts {
    size_t v = 1, vt = 1, vn = 1;
};

// Vertices that glTF splits at seams become one again, unless their colours would be lost.
void write_vertices(std::string& text, const Mesh& mesh, const DeformedPrimitive& shape, Counts& next,
                    std::vector<size_t>& v_of_vertex) {
    const auto out = std::back_inserter(text);
    std::vector<uint32_t> same;
    if (mesh.colors.empty()) same = weld_exact(mesh.positions);
    v_of_vertex.resize(shape.positions.size());
    for (size_t i = 0; i < shape.positions.size(); ++i) {
        const Vec3& p = shape.positions[i];
        // Vertices that are one at rest may still move apart: each follows its own weights.
        if (!same.empty() && same[i] < i && shape.positions[same[i]] == p) {
            v_of_vertex[i] = v_of_vertex[same[i]];
            continue;
        }
        v_of_vertex[i] = next.v++;
        fmt::format_to(out, "v {:.9g} {:.9g} {:.9g}", p.x(), p.y(), p.z());
        if (!mesh.colors.empty()) {
            const Vec4& c = mesh.colors[i];
            fmt::format_to(out, " {:.6g} {:.6g} {:.6g}", srgb_from_linear(c[0]), srgb_from_linear(c[1]),
                           srgb_from_linear(c[2]));
        }
        text += '\n';
    }
    for (const Vec2& uv : mesh.uvs) {
        fmt::format_to(out, "vt {:.9g} ", uv.x());
        write_flipped(text, uv.y());
        text += '\n';
    }
    for (const Vec3& n : shape.normals) fmt::format_to(out, "vn {:.9g} {:.9g} {:.9g}\n", n.x(), n.y(), n.z());
}

void write_faces(std::string& text, const Mesh& mesh, const DeformedPrimitive& shape, const Counts& first,
                 const std::vector<size_t>& v_of_vertex) {
    const auto out = std::back_inserter(text);
    const bool uvs = !mesh.uvs.empty(), normals = !shape.normals.empty();
    for (size_t i = 0; i < mesh.triangles.size(); ++i) {
        const size_t vertex = mesh.triangles[i];
        if (i % 3 == 0) text += 'f';
        fmt::format_to(out, " {}", v_of_vertex[vertex]);
        if (uvs) fmt::format_to(out, "/{}", first.vt + vertex);
        if (normals) fmt::format_to(out, "{}{}", uvs ? "/" : "//", first.vn + vertex);
        if (i % 3 == 2) text += '\n';
    }
}

std::string format_geometry(const Character& character, const std::vector<std::string>& material_names) {
    std::vector<DeformedPrimitive> shapes;
    deform(character, rest_pose(character), {.surface_normals = false}, shapes);

    std::string text;
    std::set<std::string> taken;
    std::vector<size_t> v_of_vertex;
    Counts next;
    int32_t open_instance = -1;
    for (const DeformedPrimitive& shape : shapes) {
        const MeshInstance& instance = character.instances[size_t(shape.instance)];
        const MeshGroup& group = character.meshes[size_t(instance.mesh)];
        const Primitive& primitive = group.primitives[size_t(shape.primitive)];
        if (primitive.mesh.triangles.empty()) continue;
        if (shape.instance != open_instance) text += "o " + unique_name(group.name, "mesh", taken) + '\n';
        open_instance = shape.instance;

        const Counts first = next;
        write_vertices(text, primitive.mesh, shape, next, v_of_vertex);
        next.vt += primitive.mesh.uvs.size();
        next.vn += shape.normals.size();
        if (primitive.material >= 0) text += "usemtl " + material_names[size_t(primitive.material)] + '\n';
        write_faces(text, primitive.mesh, shape, first, v_of_vertex);
    }
    return text;
}

std::string extension_of(const Image& image) {
    const std::string_view known = image_extension(image.mime_type);
    return known.empty() ? std::filesystem::path(image.uri).extension().string() : std::string(known);
}

// What a name in an .mtl cannot hold, or what would lead to another folder.
std::string without_odd_characters(std::string name) {
    std::replace_if(
        name.begin(), name.end(),
        [](unsigned char c) { return c < 32 || c == '/' || c == '\\' || c == ':' || c == '#' || c == ' '; }, '_');
    return name;
}

// Only the file's own name: an image never goes anywhere but beside the .obj.
std::vector<std::string> write_images(const Character& character, const std::filesystem::path& path,
                                      std::vector<OutputFile>& files) {
    std::set<std::string> taken{path.filename().string(), path.stem().string() + ".mtl"};
    std::vector<std::string> names(character.images.size());
    for (size_t i = 0; i < character.images.size(); ++i) {
        const Image& image = character.images[i];
        if (image.bytes.view.empty()) continue;
        const std::filesystem::path wanted(image.uri.empty() ? image.name : image.uri);
        std::string stem = without_odd_characters(wanted.stem().string());
        const std::string extension = without_odd_characters(extension_of(image));
        while (stem.starts_with('.') || stem.starts_with('-')) stem.erase(0, 1);
        if (stem.empty()) stem = fmt::format("{}_{}", path.stem().string(), i);
        std::string name = stem + extension;
        for (size_t k = 2; !taken.insert(name).second; ++k) name = fmt::format("{}_{}{}", stem, k, extension);
        names[i] = name;
        files.push_back({path.parent_path() / name, Bytes(image.bytes.view.begin(), image.bytes.view.end())});
    }
    return names;
}

}  // namespace

Result<std::vector<OutputFile>> encode_obj(const Character& character, const std::filesystem::path& path) {
    std::vector<OutputFile> files;
    std::set<std::string> taken;
    std::vector<std::string> material_names;
    for (const Material& material : character.materials)
        material_names.push_back(unique_name(material.name, "material", taken));

    std::string text = "# written by Sinew\n";
    const bool single_file = path == "-";
    if (!character.materials.empty() && !single_file) {
        const std::vector<std::string> image_names = write_images(character, path, files);
        std::filesystem::path mtl = path;
        mtl.replace_extension(".mtl");
        files.push_back({mtl, to_bytes(format_mtl(character.materials, material_names, image_names))});
        text += "mtllib " + mtl.filename().string() + '\n';
    }
    text += format_geometry(character, material_names);
    files.push_back({path, to_bytes(text)});
    return files;
}

}  // namespace sinew
