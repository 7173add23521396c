// Texture coordinates: each part of the body unrolled around an axis, or flattened, into its own rectangle.
// Data flow: remesh.h → Mesh → *here* (UVs, vertices split at seams) → paint.h.
#pragma once

#include <sinew/mesh/mesh.h>
#include <span>
#include <vector>

namespace sinew::shape {

// Unrolled: the angle around the axis from `low` to `high` runs across (0 at `front`, the seam behind), the way along
// it and over its rounded ends runs up. Flat: seen along `front`, `low` → `high` points up.
struct Chart {
    enum Kind { unrolled, flat } kind = unrolled;
    Vec3d low, high, front;
    double left, top, right, bottom;  // its rectangle in the unit square
    double front_gain = 0;            // below 1: how much more room the front gets than the back
};

// source[v] = the vertex of the input that output vertex v was made from.
struct Unwrapped {
    Mesh mesh;
    std::vector<uint32_t> source;
};
Unwrapped unwrap(const Mesh& mesh, std::span<const int> chart_of_triangle, std::span<const Chart> charts);

}  // namespace sinew::shape
