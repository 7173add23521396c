#include <sinew/mesh/topology.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

namespace sinew {
namespace {

struct PositionKey {
    uint32_t x, y, z;
    bool operator==(const PositionKey&) const = default;
};

struct PositionHash {
    size_t operator()(const PositionKey& key) const {
        uint64_t h = key.x * 0x9e3779b97f4a7c15ull;
        h = (h ^ (h >> 29) ^ key.y) * 0xbf58476d1ce4e5b9ull;
        h = (h ^ (h >> 32) ^ key.z) * 0x94d049bb133111ebull;
        return static_cast<size_t>(h ^ (h >> 31));
    }
};

// Adding 0 turns −0 into +0, so that equal numbers have equal bits.
PositionKey key_of(const Vec3& p) {
    return {std::bit_cast<uint32_t>(p.x() + 0.0f), std::bit_cast<uint32_t>(p.y() + 0.0f),
            std::bit_cast<uint32_t>(p.z() + 0.0f)};
}

// Union-find with path halving.
uint32_t find_root(std::vector<uint32_t>& parent, uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

}  // namespace

std::vector<uint32_t> weld_exact(std::span<const Vec3> positions) {
    std::unordered_map<PositionKey, uint32_t, PositionHash> first;
    first.reserve(positions.size());
    std::vector<uint32_t> representative(positions.size());
    for (uint32_t v = 0; v < positions.size(); ++v) {
        representative[v] = first.try_emplace(key_of(positions[v]), v).first->second;
    }
    return representative;
}

Topology topology(std::span<const Vec3> positions, std::span<const uint32_t> triangles) {
    const std::vector<uint32_t> weld = weld_exact(positions);
    std::vector<uint32_t> parent(positions.size());
    std::iota(parent.begin(), parent.end(), 0u);

    // A directed edge as one number; each must meet its reverse exactly once.
    std::vector<uint64_t> edges;
    edges.reserve(triangles.size());
    std::vector<bool> used(positions.size(), false);
    for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
        uint32_t corner[3];
        for (int k = 0; k < 3; ++k) {
            SINEW_ASSERT(triangles[i + k] < positions.size());
            corner[k] = weld[triangles[i + k]];
            used[corner[k]] = true;
        }
        for (int k = 0; k < 3; ++k) {
            const uint32_t a = corner[k], b = corner[(k + 1) % 3];
            parent[find_root(parent, a)] = find_root(parent, b);
            if (a != b) edges.push_back(uint64_t{a} << 32 | b);
        }
    }

    Topology result;
    for (uint32_t v = 0; v < positions.size(); ++v) {
        if (used[v] && find_root(parent, v) == v) ++result.pieces;
    }
    std::sort(edges.begin(), edges.end());
    result.watertight = !edges.empty() && std::adjacent_find(edges.begin(), edges.end()) == edges.end() &&
                        std::all_of(edges.begin(), edges.end(), [&](uint64_t edge) {
                            return std::binary_search(edges.begin(), edges.end(), edge << 32 | edge >> 32);
                        });
    return result;
}

}  // namespace sinew
