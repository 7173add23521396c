// Charts: gives a mesh texture coordinates. Each part of the body is unrolled around an axis, or flattened, into a
// rectangle of its own. Data flow: remesh.h → Mesh → *here* (UVs, vertices split at seams) → paint.h.
#pragma once

#include <sinew/mesh/mesh.h>
#include <span>
#include <vector>

namespace sinew::shape {

// Unrolled: the axis goes from `low` to `high`. The angle around it becomes u, with `front` in the middle and the seam
// behind; the way along it, rounded ends included, becomes v. Flat: seen along `front`, with low → high pointing up.
struct Chart {
    enum Kind { unrolled, flat } kind = unrolled;
    Vec3d low, high, front;
    double left, top, right, bottom;  // its rectangle in the unit square
    double front_gain = 0;            // [0, 1): how much more room the front gets than the back
};

// Vertex v was made from vertex source[v] of the input.
struct Unwrapped {
    Mesh mesh;
    std::vector<uint32_t> source;
};
Unwrapped unwrap(const Mesh& mesh, std::span<const int> chart_of_triangle, std::span<const Chart> charts);

}  // namespace sinew::shape
