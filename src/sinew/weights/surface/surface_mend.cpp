#include <sinew/weights/surface/surface_steps.h>

#include <sinew/weights/surface/point_grid.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

constexpr double crack_share = 0.25;  // of the shortest edge at a vertex: a narrower gap is a crack
constexpr double widest_crack = 0.01;

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

// Takes merged vertices out of the list; parent[v] is the one that v was merged into, lower than v, or v itself.
void renumber(Surface& surface, const std::vector<uint32_t>& parent) {
    std::vector<uint32_t> number(parent.size());
    uint32_t kept = 0;
    for (uint32_t v = 0; v < parent.size(); ++v) {
        if (parent[v] != v) continue;
        surface.positions[kept] = surface.positions[v];
        number[v] = kept++;
    }
    surface.positions.resize(kept);
    for (uint32_t v = 0; v < parent.size(); ++v) number[v] = number[parent[v]];
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
    const PointGrid grid(places, std::max(1e-4, 2.0 * sum / static_cast<double>(edge.size())));
    std::vector<uint32_t> parent(surface.vertex_count());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](uint32_t v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    size_t merged = 0;
    for (const uint32_t v : edge) {
        const double reach = std::min(crack_share * shortest[v], widest_crack);
        grid.each_within(surface.positions[v], reach, [&](uint32_t i, double squared) {
            const uint32_t w = edge[i], a = root(v), b = root(w);
            const double width = crack_share * shortest[w];
            if (surface.piece[w] == surface.piece[v] || squared > width * width || a == b) return;
            parent[std::max(a, b)] = std::min(a, b);
            ++merged;
        });
    }
    if (merged == 0) return 0;
    for (uint32_t v = 0; v < parent.size(); ++v) parent[v] = root(v);
    renumber(surface, parent);
    return merged;
}

}  // namespace sinew
