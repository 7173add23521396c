#include <sinew/character/compiled_morphs.h>

#include <sinew/core/check.h>
#include <sinew/skin/compiled/joint_sets.h>
#include <algorithm>
#include <cstring>

namespace sinew {
namespace {

constexpr size_t delta_floats = 3 * block_size;          // of a block of positions, normals or deltas
constexpr size_t tangent_block_floats = 4 * block_size;  // w is not morphed

void place_deltas(std::span<const Vec3> deltas, std::span<const uint32_t> lanes, const CompiledMorph& morph,
                  AlignedVector<float>& to) {
    if (deltas.empty()) return;
    to.assign(morph.blocks.size() * delta_floats, 0.0f);
    for (size_t i = 0; i < deltas.size(); ++i) {
        const auto found = std::ranges::lower_bound(morph.blocks, lanes[i] / block_size);
        float* block = to.data() + static_cast<size_t>(found - morph.blocks.begin()) * delta_floats;
        for (size_t row = 0; row < 3; ++row)
            block[row * block_size + lanes[i] % block_size] = deltas[i][static_cast<ptrdiff_t>(row)];
    }
}

CompiledMorph compile_morph(const MorphTarget& target, std::span<const uint32_t> lane_of, const CompiledSkin& skin) {
    CompiledMorph morph;
    std::vector<uint32_t> lanes;
    for (const uint32_t v : target.vertices) {
        lanes.push_back(lane_of[v]);
        morph.blocks.push_back(lane_of[v] / block_size);
    }
    std::ranges::sort(morph.blocks);
    morph.blocks.erase(std::unique(morph.blocks.begin(), morph.blocks.end()), morph.blocks.end());
    place_deltas(target.positions, lanes, morph, morph.positions);
    if (!skin.normals.empty()) place_deltas(target.normals, lanes, morph, morph.normals);
    if (!skin.tangents.empty()) place_deltas(target.tangents, lanes, morph, morph.tangents);
    return morph;
}

void copy_block(const AlignedVector<float>& from, size_t block, size_t floats, AlignedVector<float>& to) {
    if (from.empty()) return;
    std::memcpy(to.data() + block * floats, from.data() + block * floats, floats * sizeof(float));
}

void add_block(float weight, const float* __restrict delta, float* __restrict to) {
    for (size_t i = 0; i < delta_floats; ++i) to[i] += weight * delta[i];
}

void add_target(const CompiledMorph& morph, float weight, const std::vector<uint8_t>& stale, CompiledSkin& skin) {
    for (size_t i = 0; i < morph.blocks.size(); ++i) {
        const size_t block = morph.blocks[i], from = i * delta_floats;
        if (!stale[block]) continue;
        add_block(weight, morph.positions.data() + from, skin.positions.data() + block * delta_floats);
        if (!morph.normals.empty())
            add_block(weight, morph.normals.data() + from, skin.normals.data() + block * delta_floats);
        if (!morph.tangents.empty())
            add_block(weight, morph.tangents.data() + from, skin.tangents.data() + block * tangent_block_floats);
    }
}

}  // namespace

CompiledMorphs compile_morphs(std::span<const MorphTarget> targets, const CompiledSkin& skin) {
    CompiledMorphs morphs{.targets = {},
                          .positions = skin.positions,
                          .normals = skin.normals,
                          .tangents = skin.tangents,
                          .weights = std::vector<float>(targets.size(), 0.0f),
                          .stale = std::vector<uint8_t>(skin.positions.size() / delta_floats, 0)};
    const std::vector<uint32_t> lane_of = lanes_by_vertex(skin);
    for (const MorphTarget& target : targets) morphs.targets.push_back(compile_morph(target, lane_of, skin));
    return morphs;
}

bool morph_rest(CompiledMorphs& morphs, std::span<const float> weights, CompiledSkin& skin) {
    SINEW_CHECK(weights.size() == morphs.targets.size());
    if (std::ranges::equal(weights, morphs.weights)) return false;
    for (size_t t = 0; t < weights.size(); ++t) {
        if (weights[t] == morphs.weights[t]) continue;
        for (const uint32_t block : morphs.targets[t].blocks) morphs.stale[block] = 1;
    }
    for (size_t block = 0; block < morphs.stale.size(); ++block) {
        if (!morphs.stale[block]) continue;
        copy_block(morphs.positions, block, delta_floats, skin.positions);
        copy_block(morphs.normals, block, delta_floats, skin.normals);
        copy_block(morphs.tangents, block, tangent_block_floats, skin.tangents);
    }
    for (size_t t = 0; t < weights.size(); ++t)
        if (weights[t] != 0.0f) add_target(morphs.targets[t], weights[t], morphs.stale, skin);
    std::ranges::fill(morphs.stale, uint8_t{0});
    std::ranges::copy(weights, morphs.weights.begin());
    return true;
}

}  // namespace sinew
