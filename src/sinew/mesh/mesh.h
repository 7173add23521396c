// Mesh: one array of vertices and its triangles: a glTF primitive, or a whole OBJ.
// Data flow: io → *here* → skin (deforms positions, normals, tangents) → render, io.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Every attribute array is either empty or as long as `positions`. Triangles are three indices each, counter-clockwise
// seen from outside. Points and lines have positions and no triangles.
struct Mesh {
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;   // unit
    std::vector<Vec4> tangents;  // xyz unit, w = ±1: the bitangent is w * cross(normal, tangent)
    std::vector<Vec2> uvs;       // first set; v runs downwards, as in glTF
    std::vector<Vec4> colors;    // first set, linear RGBA
    std::vector<uint32_t> triangles;

    size_t vertex_count() const { return positions.size(); }
    size_t triangle_count() const { return triangles.size() / 3; }
};

// The smallest box around the points; empty when there are none.
Box bounds(std::span<const Vec3> points);

// Angle-weighted vertex normals [Thurmer1998]. Triangles without area are ignored; a vertex without a normal gets +Y.
std::vector<Vec3> compute_normals(std::span<const Vec3> positions, std::span<const uint32_t> triangles);

}  // namespace sinew
