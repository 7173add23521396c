#include <sinew/mesh/topology.h>

#include <sinew/core/check.h>
#include <sinew/core/union_find.h>
#include <algorithm>
#include <bit>

namespace sinew {

std::vector<uint32_t> weld_exact(std::span<const Vec3> positions) {
    // Sorting needs 8 bytes a vertex; a hash table would need 40. The upper half of each number is x, as bits that sort
    // as floats do, and the lower half is the vertex. Then equal positions stand together, lowest index first.
    std::vector<uint64_t> order(positions.size());
    for (size_t v = 0; v < positions.size(); ++v) {
        const auto bits = std::bit_cast<uint32_t>(positions[v].x() + 0.0f);  // −0 is 0
        const uint32_t sortable = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
        order[v] = uint64_t{sortable} << 32 | v;
    }
    std::sort(order.begin(), order.end());
    const auto by_place = [&](uint64_t i, uint64_t j) {
        const auto a = static_cast<uint32_t>(i), b = static_cast<uint32_t>(j);
        const Vec3 &p = positions[a], &q = positions[b];
        if (p.y() != q.y()) return p.y() < q.y();
        if (p.z() != q.z()) return p.z() < q.z();
        return a < b;
    };
    std::vector<uint32_t> representative(positions.size());
    for (auto i = order.begin(); i != order.end();) {
        auto end = i + 1;
        while (end != order.end() && *end >> 32 == *i >> 32) ++end;
        if (end - i > 1) std::sort(i, end, by_place);
        for (auto k = i; k != end; ++k) {
            const auto v = static_cast<uint32_t>(*k);
            const bool same = k != i && positions[v] == positions[static_cast<uint32_t>(*(k - 1))];
            representative[v] = same ? representative[static_cast<uint32_t>(*(k - 1))] : v;
        }
        i = end;
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
    UnionFind pieces(positions.size());
    std::vector<bool> used(positions.size(), false);
    bool any_edge = false;
    for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
        for (size_t k = 0; k < 3; ++k) {
            SINEW_ASSERT(triangles[i + k] < positions.size());
            const uint32_t a = weld[triangles[i + k]], b = weld[triangles[i + (k + 1) % 3]];
            used[a] = true;
            any_edge |= a != b;
            pieces.join(a, b);
        }
    }

    Topology result;
    for (uint32_t v = 0; v < positions.size(); ++v)
        if (used[v] && pieces.find(v) == v) ++result.pieces;
    // Several passes over the triangles, each for a share of the edges, so that a large mesh is not held in memory
    // three times.
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
