#include <sinew/mesh/topology.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

// Union-find with path halving.
uint32_t find_root(std::vector<uint32_t>& parent, uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

}  // namespace

std::vector<uint32_t> weld_exact(std::span<const Vec3> positions) {
    // Sorting needs 4 bytes a vertex where a hash table needs 40; equal positions come to stand together, lowest first.
    std::vector<uint32_t> order(positions.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        const Vec3 &p = positions[a], &q = positions[b];
        if (p.x() != q.x()) return p.x() < q.x();
        if (p.y() != q.y()) return p.y() < q.y();
        if (p.z() != q.z()) return p.z() < q.z();
        return a < b;
    });
    std::vector<uint32_t> representative(positions.size());
    for (size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && positions[order[i]] == positions[order[i - 1]];
        representative[order[i]] = same ? representative[order[i - 1]] : order[i];
    }
    return representative;
}

namespace {

// Whether every edge whose lower vertex lies in [begin, end) is shared by exactly two triangles, in opposite
// directions.
bool closed_between(std::span<const uint32_t> weld, std::span<const uint32_t> triangles, uint32_t begin, uint32_t end,
                    std::vector<uint64_t>& edges) {
    edges.clear();
    for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t a = weld[triangles[i + k]], b = weld[triangles[i + (k + 1) % 3]];
            const uint32_t low = std::min(a, b), high = std::max(a, b);
            if (low != high && low >= begin && low < end)
                edges.push_back(uint64_t{low} << 33 | uint64_t{high} << 1 | (a < b));
        }
    }
    std::sort(edges.begin(), edges.end());
    if (edges.size() % 2 != 0) return false;
    for (size_t i = 0; i < edges.size(); i += 2) {
        const bool pair = (edges[i] ^ edges[i + 1]) == 1;
        if (!pair || (i > 0 && edges[i - 1] >> 1 == edges[i] >> 1)) return false;
    }
    return true;
}

}  // namespace

Topology topology(std::span<const Vec3> positions, std::span<const uint32_t> triangles) {
    SINEW_CHECK(positions.size() <= INT32_MAX);
    const std::vector<uint32_t> weld = weld_exact(positions);
    std::vector<uint32_t> parent(positions.size());
    std::iota(parent.begin(), parent.end(), 0u);
    std::vector<bool> used(positions.size(), false);
    bool any_edge = false;
    for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
        for (size_t k = 0; k < 3; ++k) {
            SINEW_ASSERT(triangles[i + k] < positions.size());
            const uint32_t a = weld[triangles[i + k]], b = weld[triangles[i + (k + 1) % 3]];
            used[a] = true;
            any_edge |= a != b;
            parent[find_root(parent, a)] = find_root(parent, b);
        }
    }

    Topology result;
    for (uint32_t v = 0; v < positions.size(); ++v) {
        if (used[v] && find_root(parent, v) == v) ++result.pieces;
    }
    // In a few passes over the triangles, each with its share of the edges, so that a large mesh is not held three
    // times.
    const size_t passes = std::clamp<size_t>(triangles.size() / 1'000'000, 1, 16);
    std::vector<uint64_t> edges;
    result.watertight = any_edge;
    for (size_t p = 0; p < passes && result.watertight; ++p) {
        const auto begin = static_cast<uint32_t>(positions.size() * p / passes);
        const auto end = static_cast<uint32_t>(positions.size() * (p + 1) / passes);
        result.watertight = closed_between(weld, triangles, begin, end, edges);
    }
    return result;
}

}  // namespace sinew
