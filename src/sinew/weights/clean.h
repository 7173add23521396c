// What is done to weights after they are made, whoever made them: fewer, smoother, the same on both sides.
// Data flow: WeightField → *here* → WeightField → Influences.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/surface/surface.h>

namespace sinew {

// Weights below `full` shrink towards nothing at `none`, so that no weight ends with a step. Then rows sum to 1 again.
// The largest weight of a vertex always stays.
struct FadeOptions {
    float full = 0.05f;
    float none = 0.025f;
};
void fade_small(WeightField& field, const FadeOptions& options);

// At most `most` per vertex, with the least step: where weight number most + 1 is t, those kept shrink between 2t and
// t, so that two joints that change places in the order meet at zero. Rows sum to 1 again.
void limit_influences(WeightField& field, size_t most);

// Drops weights below `least` (but the largest); rows sum to 1 again.
void prune(WeightField& field, float least);

// Each pass moves every vertex, or every one of those given, half way to the mean of its neighbours (by their
// distance).
void smooth(WeightField& field, const Surface& surface, const Neighbours& neighbours, int passes);
void smooth(WeightField& field, const Surface& surface, const Neighbours& neighbours, int passes,
            std::span<const uint32_t> vertices);

// The field of a Surface copied to the vertices it was made of: one Influences per mesh. joint_slot[joint] is the
// joint's number in the skin.
Result<std::vector<Influences>> to_influences(const WeightField& field, const Surface& surface,
                                              std::span<const uint32_t> joint_slot, size_t slot_count);

}  // namespace sinew
