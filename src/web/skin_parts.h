// Skinned primitives of a character, and their weights as plain arrays.
// Data flow: Character ⇄ *here* ⇄ the page's weights, painting.
#pragma once

#include <sinew/character/character.h>

namespace sinew::web {

// A primitive of an instance in the scene that a skin moves. Instances that share a mesh share its weights.
struct SkinnedPart {
    int32_t instance = 0, mesh = 0, primitive = 0, skin = 0;

    template <class AnyCharacter>
    auto& primitive_of(AnyCharacter& character) const {
        return character.meshes[static_cast<size_t>(mesh)].primitives[static_cast<size_t>(primitive)];
    }
};
std::vector<SkinnedPart> skinned_parts(const Character& character);

// Influences of some vertices, one after another: those of number i are first[i] … first[i + 1].
struct WeightArrays {
    std::vector<uint32_t> first, joint;  // joint: an index into Skin::joints
    std::vector<float> weight;
};
std::vector<uint32_t> all_vertices(const Influences& influences);
WeightArrays weight_arrays(const Influences& influences, std::span<const uint32_t> vertices);

// The influences with those of `vertices` replaced. Fails on arrays that do not belong together and on bad weights.
Result<Influences> with_weights(const Influences& influences, std::span<const uint32_t> vertices,
                                const WeightArrays& arrays, size_t joint_count);

}  // namespace sinew::web
