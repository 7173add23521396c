#include <sinew/mesh/topology.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace sinew {
namespace {

// Adding 0 turns −0 into +0, so that equal numbers have equal bits.
std::array<uint32_t, 3> key_of(const Vec3& p) {
    return {std::bit_cast<uint32_t>(p.x() + 0.0f), std::bit_cast<uint32_t>(p.y() + 0.0f),
            std::bit_cast<uint32_t>(p.z() + 0.0f)};
}

size_t hash(const std::array<uint32_t, 3>& key) {
    uint64_t h = key[0] * 0x9e3779b97f4a7c15ull;
    h = (h ^ (h >> 29) ^ key[1]) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ (h >> 32) ^ key[2]) * 0x94d049bb133111ebull;
    return static_cast<size_t>(h ^ (h >> 31));
}

// Union-find with path halving.
uint32_t find_root(std::vector<uint32_t>& parent, uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

}  // namespace

// A table of vertex numbers, at most half full, probed in a line: a few bytes per vertex, whatever the mesh.
std::vector<uint32_t> weld_exact(std::span<const Vec3> positions) {
    constexpr uint32_t empty = UINT32_MAX;
    const size_t mask = std::bit_ceil(positions.size() * 2 + 1) - 1;
    std::vector<uint32_t> table(mask + 1, empty);
    std::vector<uint32_t> representative(positions.size());
    for (uint32_t v = 0; v < positions.size(); ++v) {
        const auto key = key_of(positions[v]);
        size_t slot = hash(key) & mask;
        while (table[slot] != empty && key_of(positions[table[slot]]) != key) slot = (slot + 1) & mask;
        if (table[slot] == empty) table[slot] = v;
        representative[v] = table[slot];
    }
    return representative;
}

namespace {

// Whether every directed edge a → b occurs once and meets b → a. `weld` maps corners to vertices; edges of no length
// do not count. Neighbours stand in one array, those of vertex v in [first[v], first[v + 1]): half of what pairs take.
bool is_watertight(std::span<const uint32_t> triangles, std::span<const uint32_t> weld) {
    SINEW_CHECK(triangles.size() <= UINT32_MAX);
    const auto for_each_edge = [&](const auto& visit) {
        for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
            for (size_t k = 0; k < 3; ++k) {
                const uint32_t a = weld[triangles[i + k]], b = weld[triangles[i + (k + 1) % 3]];
                if (a != b) visit(a, b);
            }
        }
    };
    // Counts, then each list's end, then, as the lists are filled from behind, each list's start.
    std::vector<uint32_t> first(weld.size() + 1, 0);
    for_each_edge([&](uint32_t a, uint32_t) { ++first[a]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<uint32_t> neighbours(first.back());
    for_each_edge([&](uint32_t a, uint32_t b) { neighbours[--first[a]] = b; });
    const auto of = [&](uint32_t v) { return std::span(neighbours).subspan(first[v], first[v + 1] - first[v]); };
    for (uint32_t v = 0; v < weld.size(); ++v) std::sort(of(v).begin(), of(v).end());
    for (uint32_t v = 0; v < weld.size(); ++v) {
        const auto list = of(v);
        if (std::adjacent_find(list.begin(), list.end()) != list.end()) return false;
        for (const uint32_t b : list) {
            if (!std::binary_search(of(b).begin(), of(b).end(), v)) return false;
        }
    }
    return !neighbours.empty();
}

}  // namespace

Topology topology(std::span<const Vec3> positions, std::span<const uint32_t> triangles) {
    const std::vector<uint32_t> weld = weld_exact(positions);
    Topology result;
    {
        std::vector<uint32_t> parent(positions.size());
        std::iota(parent.begin(), parent.end(), 0u);
        std::vector<bool> used(positions.size(), false);
        for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
            for (size_t k = 0; k < 3; ++k) {
                SINEW_ASSERT(triangles[i + k] < positions.size());
                const uint32_t a = weld[triangles[i + k]], b = weld[triangles[i + (k + 1) % 3]];
                used[a] = true;
                parent[find_root(parent, a)] = find_root(parent, b);
            }
        }
        for (uint32_t v = 0; v < positions.size(); ++v) {
            if (used[v] && find_root(parent, v) == v) ++result.pieces;
        }
    }
    result.watertight = is_watertight(triangles, weld);
    return result;
}

}  // namespace sinew
