#include <sinew/io/fbx/geometry.h>
#include <algorithm>
#include <cmath>

namespace sinew::fbx {
namespace {

constexpr size_t smallest_polygon = 3;

Mapping mapping_of(std::string_view name) {
    if (name == "ByPolygonVertex") return Mapping::by_corner;
    if (name == "ByPolygon") return Mapping::by_polygon;
    if (name == "ByVertice" || name == "ByVertex") return Mapping::by_point;
    if (name == "AllSame") return Mapping::all_same;
    return Mapping::none;
}

// Exporters leave the mapping out, or write nonsense; the number of values tells.
Mapping mapping_by_count(size_t count, size_t corners, size_t points, size_t polygons) {
    if (count == corners) return Mapping::by_corner;
    if (count == points) return Mapping::by_point;
    if (count == polygons) return Mapping::by_polygon;
    return count == 1 ? Mapping::all_same : Mapping::none;
}

class GeometryReader {
public:
    explicit GeometryReader(const Node& node) : node_(node) {}

    Geometry read() {
        const std::vector<double> numbers = reals_of(node_.find("Vertices"));
        geometry_.points.resize(numbers.size() / 3);
        for (size_t i = 0; i < geometry_.points.size(); ++i) {
            const Vec3d p(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
            geometry_.points[i] = p.allFinite() ? p : Vec3d(Vec3d::Zero());
        }
        read_polygons();
        geometry_.normals = layer("LayerElementNormal", "Normals", "NormalsIndex", 3);
        geometry_.uvs = layer("LayerElementUV", "UV", "UVIndex", 2);
        geometry_.colors = layer("LayerElementColor", "Colors", "ColorIndex", 4);
        read_materials();
        read_old_layers();
        return std::move(geometry_);
    }

private:
    // The last corner of a polygon is written as its bitwise complement.
    void read_polygons() {
        const std::vector<int64_t> indices = integers_of(node_.find("PolygonVertexIndex"));
        corners_ = indices.size();
        size_t first = 0;
        for (size_t i = 0; i < indices.size(); ++i) {
            if (indices[i] >= 0 && i + 1 < indices.size()) continue;
            add_polygon(indices, first, i + 1);
            ++polygons_;
            first = i + 1;
        }
        geometry_.first_corner.push_back(uint32_t(geometry_.corners.size()));
    }

    void add_polygon(const std::vector<int64_t>& indices, size_t first, size_t end) {
        const size_t start = geometry_.corners.size();
        bool broken = false;
        for (size_t i = first; i < end; ++i) {
            const int64_t point = indices[i] >= 0 ? indices[i] : ~indices[i];
            broken = broken || point < 0 || size_t(point) >= geometry_.points.size();
            geometry_.corners.push_back(broken ? 0 : uint32_t(point));
            geometry_.corner_in_file.push_back(uint32_t(i));
        }
        geometry_.broken_polygons += broken;
        if (!broken && end - first < smallest_polygon)
            geometry_.edge_points.insert(geometry_.edge_points.end(), geometry_.corners.begin() + std::ptrdiff_t(start),
                                         geometry_.corners.end());
        if (broken || end - first < smallest_polygon) {
            geometry_.corners.resize(start);
            geometry_.corner_in_file.resize(start);
            return;
        }
        geometry_.first_corner.push_back(uint32_t(start));
        geometry_.polygon_in_file.push_back(uint32_t(polygons_));
    }

    Layer layer(std::string_view element, std::string_view values, std::string_view indices, size_t width) const {
        const Node* found = node_.find(element);
        if (found == nullptr) return {};
        Layer result;
        result.width = width;
        result.values = reals_of(found->find(values));
        result.values.resize(result.values.size() / width * width);
        const Node* mapping = found->find("MappingInformationType");
        const Node* reference = found->find("ReferenceInformationType");
        if (reference == nullptr || reference->text(0) != "Direct") result.indices = integers_of(found->find(indices));
        result.mapping = mapping != nullptr ? mapping_of(mapping->text(0)) : Mapping::none;
        if (result.mapping == Mapping::none)
            result.mapping =
                mapping_by_count(result.indices.empty() ? result.values.size() / width : result.indices.size(),
                                 corners_, geometry_.points.size(), polygons_);
        if (result.values.empty()) result.mapping = Mapping::none;
        return result;
    }

    void read_materials() {
        geometry_.materials = layer("LayerElementMaterial", "Materials", "", 1);
        geometry_.materials.indices.clear();  // the values themselves are numbers of materials
    }

    // Before 6000: values stand in the mesh itself, and say less about how they are meant.
    void read_old_layers() {
        if (geometry_.normals.mapping == Mapping::none && node_.find("Normals") != nullptr) {
            Layer& normals = geometry_.normals;
            normals.width = 3;
            normals.values = reals_of(node_.find("Normals"));
            normals.values.resize(normals.values.size() / 3 * 3);
            normals.mapping = mapping_by_count(normals.values.size() / 3, corners_, geometry_.points.size(), polygons_);
        }
        if (const Node* info = node_.find("GeometryUVInfo"); info != nullptr && geometry_.uvs.values.empty()) {
            Layer& uvs = geometry_.uvs;
            uvs.width = 2;
            uvs.values = reals_of(info->find("TextureUV"));
            uvs.values.resize(uvs.values.size() / 2 * 2);
            uvs.indices = integers_of(info->find("TextureUVVerticeIndex"));
            uvs.mapping = mapping_by_count(uvs.indices.empty() ? uvs.values.size() / 2 : uvs.indices.size(), corners_,
                                           geometry_.points.size(), polygons_);
        }
        if (const Node* how = node_.find("MaterialAssignation"); how != nullptr && geometry_.materials.values.empty()) {
            geometry_.materials.values = reals_of(node_.find("Materials"));
            geometry_.materials.mapping = geometry_.materials.values.empty() ? Mapping::none : mapping_of(how->text(0));
        }
    }

    const Node& node_;
    Geometry geometry_;
    size_t corners_ = 0, polygons_ = 0;  // as the file counts them
};

}  // namespace

int64_t Layer::at(size_t corner, size_t polygon, size_t point) const {
    size_t place = 0;
    switch (mapping) {
        case Mapping::none:
            return -1;
        case Mapping::by_corner:
            place = corner;
            break;
        case Mapping::by_polygon:
            place = polygon;
            break;
        case Mapping::by_point:
            place = point;
            break;
        case Mapping::all_same:
            place = 0;
            break;
    }
    if (!indices.empty()) {
        if (place >= indices.size() || indices[place] < 0) return -1;
        place = size_t(indices[place]);
    }
    return place < values.size() / width ? int64_t(place) : -1;
}

Geometry read_geometry(const Node& node) {
    return GeometryReader(node).read();
}

}  // namespace sinew::fbx
