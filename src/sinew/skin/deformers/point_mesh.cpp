#include <sinew/skin/deformers/point_mesh.h>

#include <sinew/mesh/topology.h>
#include <algorithm>
#include <numeric>
#include <tuple>

namespace sinew {
namespace {

bool before(std::span<const Influence> a, std::span<const Influence> b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](const Influence& x, const Influence& y) {
                                            return std::tie(x.joint, x.weight) < std::tie(y.joint, y.weight);
                                        });
}

// Numbers the points in the order of their first vertices.
void weld(const Influences& influences, std::span<const Vec3> positions, PointMesh& mesh) {
    const std::vector<uint32_t> place = weld_exact(positions);
    std::vector<uint32_t> order(positions.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto less = [&](uint32_t a, uint32_t b) {
        return place[a] != place[b] ? place[a] < place[b] : before(influences.of(a), influences.of(b));
    };
    std::stable_sort(order.begin(), order.end(), less);
    std::vector<uint32_t> speaker(positions.size());
    for (size_t k = 0; k < order.size(); ++k)
        speaker[order[k]] = k > 0 && !less(order[k - 1], order[k]) ? speaker[order[k - 1]] : order[k];
    mesh.point_of.resize(positions.size());
    for (uint32_t v = 0; v < positions.size(); ++v) {
        if (speaker[v] == v) {
            mesh.point_of[v] = static_cast<uint32_t>(mesh.vertex_of.size());
            mesh.vertex_of.push_back(v);
        } else {
            mesh.point_of[v] = mesh.point_of[speaker[v]];
        }
    }
}

// Sorts `items`, pairs of a point and what belongs to it, into ranges per point.
void ranges(std::vector<std::pair<uint32_t, uint32_t>>& items, size_t points, std::vector<uint32_t>& first,
            std::vector<uint32_t>& out) {
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    first.assign(points + 1, 0);
    for (const auto& [point, item] : items) {
        ++first[point + 1];
        out.push_back(item);
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
}

}  // namespace

PointMesh make_point_mesh(const Influences& influences, std::span<const Vec3> positions,
                          std::span<const uint32_t> triangles) {
    PointMesh mesh;
    weld(influences, positions, mesh);
    std::vector<std::pair<uint32_t, uint32_t>> corners, edges;
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const uint32_t p[3] = {mesh.point_of[triangles[t]], mesh.point_of[triangles[t + 1]],
                               mesh.point_of[triangles[t + 2]]};
        if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) continue;
        for (int c = 0; c < 3; ++c) {
            corners.emplace_back(p[c], static_cast<uint32_t>(mesh.triangles.size()));
            mesh.triangles.push_back(p[c]);
            edges.emplace_back(p[c], p[(c + 1) % 3]);
            edges.emplace_back(p[(c + 1) % 3], p[c]);
        }
    }
    ranges(corners, mesh.vertex_of.size(), mesh.first_corner, mesh.corners);
    ranges(edges, mesh.vertex_of.size(), mesh.first_neighbour, mesh.neighbours);
    return mesh;
}

}  // namespace sinew
