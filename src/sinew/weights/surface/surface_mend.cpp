#include <sinew/weights/surface/surface_steps.h>

#include <sinew/core/union_find.h>
#include <sinew/weights/surface/point_grid.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Of the shortest edge at a vertex: a narrower gap is a crack. Chosen on the cut and shrunk meshes of
// tests/weights/damage.h: neighbouring vertices of a good mesh are never merged.
constexpr double crack_share = 0.25;
// In the Surface's size: as far as heat's links reach (HeatOptions::link_distance).
constexpr double widest_crack = 0.01;
// The grid's cells are twice as wide as the usual crack, so that a search looks into few cells.
constexpr double cells_of_crack = 2.0, least_cell = 1e-4;

// The length of the shortest edge at each vertex.
std::vector<double> shortest_edges(const Surface& surface) {
    std::vector<double> shortest(surface.vertex_count(), INFINITY);
    for (size_t i = 0; i < surface.triangles.size(); ++i) {
        const uint32_t a = surface.triangles[i], b = surface.triangles[i - i % 3 + (i + 1) % 3];
        const double length = (surface.positions[a] - surface.positions[b]).norm();
        shortest[a] = std::min(shortest[a], length);
        shortest[b] = std::min(shortest[b], length);
    }
    return shortest;
}

// Keeps the lowest vertex of each merged set.
void renumber(Surface& surface, UnionFind& merged) {
    std::vector<uint32_t> number(merged.size());
    uint32_t kept = 0;
    for (uint32_t v = 0; v < merged.size(); ++v) {
        if (merged.find(v) != v) continue;
        surface.positions[kept] = surface.positions[v];
        number[v] = kept++;
    }
    surface.positions.resize(kept);
    for (uint32_t v = 0; v < merged.size(); ++v) number[v] = number[merged.find(v)];
    for (uint32_t& v : surface.vertex_of) v = number[v];
    std::vector<uint32_t> triangles;
    for (size_t i = 0; i < surface.triangles.size(); i += 3) {
        const uint32_t a = number[surface.triangles[i]], b = number[surface.triangles[i + 1]],
                       c = number[surface.triangles[i + 2]];
        if (a != b && b != c && c != a) triangles.insert(triangles.end(), {a, b, c});
    }
    surface.triangles = std::move(triangles);
}

}  // namespace

size_t mend_cracks(Surface& surface) {
    std::vector<uint32_t> edge;  // vertices on open edges
    for (uint32_t v = 0; v < surface.vertex_count(); ++v)
        if (surface.open[v]) edge.push_back(v);
    if (edge.empty() || surface.piece_count < 2) return 0;
    const std::vector<double> shortest = shortest_edges(surface);
    std::vector<Vec3d> places;
    double sum = 0.0;
    for (uint32_t v : edge) {
        places.push_back(surface.positions[v]);
        sum += std::min(crack_share * shortest[v], widest_crack);
    }
    const PointGrid grid(places, std::max(least_cell, cells_of_crack * sum / static_cast<double>(edge.size())));
    UnionFind merged(surface.vertex_count());
    size_t joined = 0;
    for (const uint32_t v : edge) {
        const double reach = std::min(crack_share * shortest[v], widest_crack);
        grid.each_within(surface.positions[v], reach, [&](uint32_t i, double squared) {
            const uint32_t w = edge[i];
            const double width = crack_share * shortest[w];
            if (surface.piece[w] == surface.piece[v] || squared > width * width) return;
            joined += merged.join(v, w);
        });
    }
    if (joined > 0) renumber(surface, merged);
    return joined;
}

}  // namespace sinew
