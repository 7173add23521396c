#include <sinew/ik/elastic/weight_clusters.h>

#include <sinew/mesh/topology.h>
#include <algorithm>
#include <array>
#include <map>

namespace sinew {
namespace {

using Key = std::array<int32_t, 3>;  // the stronger joint, the other, and the step between them

// A vertex that follows one joint by this share has that joint's rotation.
constexpr float follows_one = 0.97f;

Key key_of(std::span<const Influence> influences, const Skin& skin, int per_blend) {
    if (influences.empty()) return {-1, -1, 0};
    const int32_t first = skin.joints[influences[0].joint];
    if (influences.size() < 2 || influences[0].weight >= follows_one) return {first, first, 0};
    const int32_t second = skin.joints[influences[1].joint];
    const auto [low, high] = std::minmax(first, second);
    const float both = influences[0].weight + influences[1].weight;
    const float share = (first == low ? influences[0].weight : influences[1].weight) / both;
    const int step = std::clamp(static_cast<int>(share * static_cast<float>(per_blend)), 0, per_blend - 1);
    return {low, high, step};
}

}  // namespace

WeightClusters cluster_by_weights(std::span<const ElasticMesh> meshes, int per_blend) {
    WeightClusters result;
    std::map<Key, uint32_t> known;
    for (const ElasticMesh& mesh : meshes) {
        const size_t first = result.of_vertex.size();
        if (per_blend <= 0) {
            for (const uint32_t v : weld_exact(mesh.positions))
                result.of_vertex.push_back(static_cast<uint32_t>(first) + v);
            result.count = result.of_vertex.size();
            continue;
        }
        for (size_t v = 0; v < mesh.positions.size(); ++v) {
            const Key key = key_of(mesh.influences->of(v), *mesh.skin, per_blend);
            result.of_vertex.push_back(known.try_emplace(key, static_cast<uint32_t>(known.size())).first->second);
        }
        result.count = known.size();
    }
    return result;
}

}  // namespace sinew
