#include <fmt/format.h>

#include <sinew/io/fbx/write/from_gltf.h>
#include <sinew/io/fbx/write/meshes.h>
#include <algorithm>
#include <cmath>

namespace sinew::fbx {
namespace {

constexpr int32_t geometry_version = 124, layer_version = 100, element_version = 101;
constexpr int most_uv_sets = 8;  // as many as Blender keeps

// Calls use(primitive, vertex) for every corner of every triangle, in the order of the file's polygons.
template <class Use>
void each_corner(const MeshGroup& mesh, const Use& use) {
    for (const Primitive& primitive : mesh.primitives)
        for (const uint32_t vertex : primitive.mesh.triangles) use(primitive, vertex);
}

Vec3d unit_or_up(const Vec3d& v) {
    const double length = v.norm();
    return length > 0 && std::isfinite(length) ? Vec3d(v / length) : Vec3d(Vec3d::UnitY());
}

class GeometryWriter {
public:
    GeometryWriter(const Character& character, const OutMesh& mesh, Record& record)
        : character_(character), mesh_(mesh), record_(record) {
        linear_ = mesh.placed.linear();
        const double volume = linear_.determinant();
        for (int i = 0; i < 3; ++i) normal_.col(i) = linear_.col((i + 1) % 3).cross(linear_.col((i + 2) % 3));
        if (volume < 0) normal_ = -normal_;
    }

    void write() {
        record_.add("Properties70");
        record_.add("GeometryVersion", geometry_version);
        write_points();
        write_normals();
        write_uvs();
        write_colors();
        write_materials();
        Record layer("Layer", int32_t(0));
        layer.add("Version", layer_version);
        for (const std::string_view name : elements_) {
            Record& element = layer.add("LayerElement");
            element.add("Type", name);
            element.add("TypedIndex", int32_t(0));
        }
        record_.add(std::move(layer));
        for (int32_t set = 1; set < uv_sets_; ++set) {
            Record further("Layer", set);
            further.add("Version", layer_version);
            Record& element = further.add("LayerElement");
            element.add("Type", "LayerElementUV");
            element.add("TypedIndex", set);
            record_.add(std::move(further));
        }
    }

private:
    bool any(const std::vector<Vec3> Mesh::*attribute) const {
        return std::ranges::any_of(mesh_.mesh.primitives,
                                   [&](const Primitive& p) { return !(p.mesh.*attribute).empty(); });
    }

    // A layer element without its values; record_ gets it when they are in.
    static Record plain_element(std::string_view type, int32_t number, std::string_view name, std::string_view mapping,
                                std::string_view reference) {
        Record result(type, number);
        result.add("Version", element_version);
        result.add("Name", name);
        result.add("MappingInformationType", mapping);
        result.add("ReferenceInformationType", reference);
        return result;
    }
    Record element(std::string_view type, std::string_view name, std::string_view mapping, std::string_view reference) {
        elements_.push_back(type);
        return plain_element(type, 0, name, mapping, reference);
    }
    template <class Values>
    void add_element(std::string_view type, std::string_view mapping, std::string_view reference,
                     std::string_view values_name, const Values& values) {
        Record result = element(type, "", mapping, reference);
        result.add(values_name, values);
        record_.add(std::move(result));
    }

    void write_points() {
        std::vector<double> numbers;
        for (const ControlPoints::Vertex& source : mesh_.points.sources) {
            const Vec3d p = mesh_.position(source);
            numbers.insert(numbers.end(), p.data(), p.data() + 3);
        }
        record_.add("Vertices", numbers);
        // The last corner of a polygon is written as its bitwise complement.
        std::vector<int32_t> corners;
        for (size_t p = 0; p < mesh_.mesh.primitives.size(); ++p) {
            const std::vector<uint32_t>& triangles = mesh_.mesh.primitives[p].mesh.triangles;
            for (size_t i = 0; i < triangles.size(); ++i) {
                const auto point = int32_t(mesh_.points.of_vertex[p][triangles[i]]);
                corners.push_back(i % 3 == 2 ? ~point : point);
            }
        }
        record_.add("PolygonVertexIndex", corners);
    }

    void write_normals() {
        if (!any(&Mesh::normals)) return;
        std::vector<double> normals;
        for (const Primitive& primitive : mesh_.mesh.primitives) {
            std::vector<Vec3> made;
            if (primitive.mesh.normals.empty())
                made = compute_normals(primitive.mesh.positions, primitive.mesh.triangles);
            const std::vector<Vec3>& own = made.empty() ? primitive.mesh.normals : made;
            for (const uint32_t vertex : primitive.mesh.triangles) {
                const Vec3d n = unit_or_up(normal_ * own[vertex].cast<double>());
                normals.insert(normals.end(), n.data(), n.data() + 3);
            }
        }
        add_element("LayerElementNormal", "ByPolygonVertex", "Direct", "Normals", normals);
        write_tangents();
    }

    void write_tangents() {
        const auto has = [](const Primitive& p) {
            return p.mesh.triangles.empty() || (!p.mesh.tangents.empty() && !p.mesh.normals.empty());
        };
        if (!std::ranges::all_of(mesh_.mesh.primitives, has)) return;
        std::vector<double> tangents, binormals;
        each_corner(mesh_.mesh, [&](const Primitive& primitive, uint32_t vertex) {
            const Vec4& tangent = primitive.mesh.tangents[vertex];
            const Vec3d t = unit_or_up(linear_ * tangent.head<3>().cast<double>());
            const Vec3d n = unit_or_up(normal_ * primitive.mesh.normals[vertex].cast<double>());
            const Vec3d b = unit_or_up(double(tangent.w()) * n.cross(t));
            tangents.insert(tangents.end(), t.data(), t.data() + 3);
            binormals.insert(binormals.end(), b.data(), b.data() + 3);
        });
        if (tangents.empty()) return;
        add_element("LayerElementBinormal", "ByPolygonVertex", "Direct", "Binormals", binormals);
        add_element("LayerElementTangent", "ByPolygonVertex", "Direct", "Tangents", tangents);
    }

    // Values at vertices, each once, and the corners' places among them. `value` appends one vertex's numbers.
    template <class Value>
    void write_indexed(Record& into, std::string_view values_name, std::string_view index_name,
                       const Value& value) const {
        std::vector<double> numbers;
        std::vector<int32_t> indices;
        int32_t first = 0;
        for (const Primitive& primitive : mesh_.mesh.primitives) {
            for (size_t v = 0; v < primitive.mesh.vertex_count(); ++v) value(primitive, v, numbers);
            for (const uint32_t vertex : primitive.mesh.triangles) indices.push_back(first + int32_t(vertex));
            first += int32_t(primitive.mesh.vertex_count());
        }
        into.add(values_name, numbers);
        into.add(index_name, indices);
    }

    void write_uvs() {
        const auto has = [](const Primitive& p) { return !p.mesh.uvs.empty(); };
        if (!std::ranges::any_of(mesh_.mesh.primitives, has)) return;
        write_uv_set("UVMap", 0, [](const Primitive& primitive) { return primitive.mesh.uvs; });
        for (int set = 1; set < most_uv_sets; ++set) {
            const auto further = [&](const Primitive& primitive) {
                return further_uvs(character_, mesh_.mesh, primitive, set);
            };
            const auto is_there = [&](const Primitive& primitive) { return !further(primitive).empty(); };
            if (!std::ranges::any_of(mesh_.mesh.primitives, is_there)) return;
            write_uv_set(fmt::format("UVMap.{:03}", set), set, further);
            uv_sets_ = set + 1;
        }
    }

    template <class Values>
    void write_uv_set(const std::string& name, int set, const Values& values) {
        Record uvs = set == 0 ? element("LayerElementUV", name, "ByPolygonVertex", "IndexToDirect")
                              : plain_element("LayerElementUV", set, name, "ByPolygonVertex", "IndexToDirect");
        const Primitive* last = nullptr;
        std::vector<Vec2> own;
        write_indexed(uvs, "UV", "UVIndex", [&](const Primitive& primitive, size_t v, std::vector<double>& numbers) {
            if (last != &primitive) own = values(primitive);
            last = &primitive;
            const Vec2 uv = own.empty() ? Vec2(Vec2::Zero()) : own[v];
            numbers.insert(numbers.end(), {double(uv.x()), 1.0 - double(uv.y())});
        });
        record_.add(std::move(uvs));
    }

    void write_colors() {
        const auto has = [](const Primitive& p) { return !p.mesh.colors.empty(); };
        if (!std::ranges::any_of(mesh_.mesh.primitives, has)) return;
        Record colors = element("LayerElementColor", "Color", "ByPolygonVertex", "IndexToDirect");
        write_indexed(
            colors, "Colors", "ColorIndex", [](const Primitive& primitive, size_t v, std::vector<double>& numbers) {
                const Vec4 color = primitive.mesh.colors.empty() ? Vec4(Vec4::Ones()) : primitive.mesh.colors[v];
                for (int i = 0; i < 4; ++i) numbers.push_back(double(color[i]));
            });
        record_.add(std::move(colors));
    }

    void write_materials() {
        if (mesh_.slots.empty()) return;
        std::vector<int32_t> slots;
        for (const Primitive& primitive : mesh_.mesh.primitives) {
            const auto slot = std::ranges::find(mesh_.slots, primitive.material) - mesh_.slots.begin();
            slots.insert(slots.end(), primitive.mesh.triangle_count(), int32_t(slot));
        }
        const bool same = mesh_.slots.size() == 1;
        if (same) slots = {0};
        add_element("LayerElementMaterial", same ? "AllSame" : "ByPolygon", "IndexToDirect", "Materials", slots);
    }

    const Character& character_;
    const OutMesh& mesh_;
    Record& record_;
    int32_t uv_sets_ = 1;
    Mat3d linear_, normal_;
    std::vector<std::string_view> elements_;
};

}  // namespace

bool OutMesh::follows_joints(const ControlPoints::Vertex& vertex) const {
    const Influences& influences = mesh.primitives[vertex.primitive].influences;
    return !influences.empty() && !influences.of(vertex.vertex).empty();
}

Vec3d OutMesh::position(const ControlPoints::Vertex& vertex) const {
    const Vec3d p = mesh.primitives[vertex.primitive].mesh.positions[vertex.vertex].cast<double>();
    return (follows_joints(vertex) ? Vec3d(placed * p) : p) * centimetres;
}

Record geometry_record(const Output& output, int64_t id, const OutMesh& mesh) {
    Record record = output.object("Geometry", id, mesh.mesh.name, "Geometry", "Mesh");
    GeometryWriter(output.character, mesh, record).write();
    return record;
}

}  // namespace sinew::fbx
