#include <sinew/morph/morph.h>

#include <sinew/core/check.h>
#include <algorithm>

namespace sinew {

void apply_morphs(std::span<const MorphTarget> targets, std::span<const float> weights, const MorphBuffers& buffers) {
    for (size_t t = 0; t < std::min(targets.size(), weights.size()); ++t) {
        const float weight = weights[t];
        if (weight == 0.0f) continue;
        const MorphTarget& target = targets[t];
        for (size_t i = 0; i < target.vertices.size(); ++i) {
            const uint32_t v = target.vertices[i];
            if (!buffers.positions.empty()) buffers.positions[v] += weight * target.positions[i];
            if (!buffers.normals.empty() && !target.normals.empty()) buffers.normals[v] += weight * target.normals[i];
            if (!buffers.tangents.empty() && !target.tangents.empty()) {
                buffers.tangents[v].head<3>() += weight * target.tangents[i];
            }
        }
    }
}

}  // namespace sinew
