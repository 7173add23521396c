// Geometry: an FBX mesh as the file has it: control points, polygons, and layers of values at their corners.
// Data flow: a geometry object → *here* → mesh.cpp.
#pragma once

#include <sinew/io/fbx/document/objects.h>
#include <cstdint>
#include <vector>

namespace sinew::fbx {

enum class Mapping : uint8_t { none, by_corner, by_polygon, by_point, all_same };

// Values of a mesh: `width` numbers each, found through `indices` where there are any.
struct Layer {
    Mapping mapping = Mapping::none;
    size_t width = 1;
    std::vector<double> values;
    std::vector<int64_t> indices;

    // The place of a corner's value among the values; −1 where it has none.
    int64_t at(size_t corner, size_t polygon, size_t point) const;
    const double* value(int64_t place) const { return &values[size_t(place) * width]; }
};

struct Geometry {
    std::vector<Vec3d> points;
    std::vector<uint32_t> corners;         // control points of all polygons, one polygon after another
    std::vector<uint32_t> first_corner;    // of each polygon, and the end
    std::vector<uint32_t> corner_in_file;  // the layers count corners and polygons as the file does
    std::vector<uint32_t> polygon_in_file;
    Layer normals, uvs, colors, materials;
    std::vector<uint32_t> edge_points;  // of polygons with one or two corners: edges that belong to no face
    size_t broken_polygons = 0;         // with a point that does not exist

    size_t polygon_count() const { return first_corner.empty() ? 0 : first_corner.size() - 1; }
};

Geometry read_geometry(const Node& node);

}  // namespace sinew::fbx
