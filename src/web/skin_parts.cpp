#include "skin_parts.h"

#include <numeric>

namespace sinew::web {

std::vector<SkinnedPart> skinned_parts(const Character& character) {
    std::vector<SkinnedPart> parts;
    for (size_t i = 0; i < character.instances.size(); ++i) {
        const MeshInstance& instance = character.instances[i];
        if (!instance.in_scene || instance.skin < 0) continue;
        const MeshGroup& mesh = character.meshes[static_cast<size_t>(instance.mesh)];
        for (size_t p = 0; p < mesh.primitives.size(); ++p)
            if (!mesh.primitives[p].influences.empty())
                parts.push_back({static_cast<int32_t>(i), instance.mesh, static_cast<int32_t>(p), instance.skin});
    }
    return parts;
}

std::vector<uint32_t> all_vertices(const Influences& influences) {
    std::vector<uint32_t> all(influences.vertex_count());
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

WeightArrays weight_arrays(const Influences& influences, std::span<const uint32_t> vertices) {
    WeightArrays arrays;
    arrays.first.push_back(0);
    for (uint32_t vertex : vertices) {
        for (const Influence& influence : influences.of(vertex)) {
            arrays.joint.push_back(influence.joint);
            arrays.weight.push_back(influence.weight);
        }
        arrays.first.push_back(static_cast<uint32_t>(arrays.joint.size()));
    }
    return arrays;
}

Result<Influences> with_weights(const Influences& influences, std::span<const uint32_t> vertices,
                                const WeightArrays& arrays, size_t joint_count) {
    const size_t count = influences.vertex_count();
    bool good = arrays.first.size() == vertices.size() + 1 && arrays.joint.size() == arrays.weight.size() &&
                arrays.first.front() == 0 && arrays.first.back() == arrays.joint.size();
    for (size_t i = 0; good && i < vertices.size(); ++i)
        good = vertices[i] < count && arrays.first[i] <= arrays.first[i + 1];
    if (!good) return fail(ErrorCode::invalid_argument, "the arrays of weights do not belong together");
    std::vector<int64_t> changed(count, -1);
    for (size_t i = 0; i < vertices.size(); ++i) changed[vertices[i]] = static_cast<int64_t>(i);
    std::vector<uint32_t> first = {0};
    std::vector<Influence> all;
    for (size_t v = 0; v < count; ++v) {
        if (changed[v] < 0) {
            const auto own = influences.of(v);
            all.insert(all.end(), own.begin(), own.end());
        } else {
            const auto i = static_cast<size_t>(changed[v]);
            for (uint32_t k = arrays.first[i]; k < arrays.first[i + 1]; ++k)
                all.push_back({arrays.joint[k], arrays.weight[k]});
        }
        first.push_back(static_cast<uint32_t>(all.size()));
    }
    return Influences::create(std::move(first), std::move(all), joint_count);
}

}  // namespace sinew::web
