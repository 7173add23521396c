// Cleaning: makes weights fewer or smoother, whichever method made them, and hands them out.
// Data flow: WeightField → *here* → WeightField → Influences.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/surface/surface.h>

namespace sinew {

// Weights below `full` shrink and reach 0 at `none`, so that no weight ends with a step. Then rows sum to 1 again. The
// largest weight of a vertex always stays. The values were found on the 16 rigged glTFs of
// tests/weights/models.h: painted weights end sooner than heat does.
struct FadeOptions {
    float full = 0.05f;
    float none = 0.025f;
};
void fade_small(WeightField& field, const FadeOptions& options);

// Keeps the `most` largest weights per vertex. If the first weight left out is t, weights between 1.25 t and t shrink
// to 0, so that two joints that change places in the order meet at 0 and no step shows. Rows sum to 1 again.
void limit_influences(WeightField& field, size_t most);

// Drops weights below `least`, except the largest of a vertex. Rows sum to 1 again.
void prune(WeightField& field, float least);

// Each pass moves the weights of every vertex, or of each vertex given, half way to the mean of its neighbours. Nearer
// neighbours count more (1 / distance).
void smooth(WeightField& field, const Surface& surface, const Neighbours& neighbours, int passes);
void smooth(WeightField& field, const Surface& surface, const Neighbours& neighbours, int passes,
            std::span<const uint32_t> vertices);

// Copies the weights of a Surface to the vertices it was made of: one Influences per mesh. joint_slot[joint] is the
// joint's index in the skin.
Result<std::vector<Influences>> to_influences(const WeightField& field, const Surface& surface,
                                              std::span<const uint32_t> joint_slot, size_t slot_count);

}  // namespace sinew
