// Morph targets laid out as a compiled skin's rest shape is, so that morphing adds whole blocks. Internal to character.
// Data flow: MorphTarget, CompiledSkin → *here*, once; then Pose::morphs → *here* → the skin's rest streams.
#pragma once

#include <sinew/morph/morph.h>
#include <sinew/skin/compiled/compiled_skin.h>

namespace sinew {

// The blocks that one target moves, in increasing order, and by how much: x16 y16 z16 for each, zero where a vertex of
// the block does not move. Directions are empty or as long.
struct CompiledMorph {
    std::vector<uint32_t> blocks;
    AlignedVector<float> positions;
    AlignedVector<float> normals;
    AlignedVector<float> tangents;
};

struct CompiledMorphs {
    std::vector<CompiledMorph> targets;
    AlignedVector<float> positions;  // the rest shape without any morphs, as in CompiledSkin
    AlignedVector<float> normals;
    AlignedVector<float> tangents;
    std::vector<float> weights;  // those of the rest shape that the skin has now
    std::vector<uint8_t> stale;  // per block
};

// `skin` has just been compiled from the unmorphed shape.
CompiledMorphs compile_morphs(std::span<const MorphTarget> targets, const CompiledSkin& skin);

// Puts the shape with these weights into the skin's rest streams; returns whether that changed anything. Only blocks
// that a target with a changed weight moves are made again. What comes out is what apply_morphs makes, bit for bit.
bool morph_rest(CompiledMorphs& morphs, std::span<const float> weights, CompiledSkin& skin);

}  // namespace sinew
