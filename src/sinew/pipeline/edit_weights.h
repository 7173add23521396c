// Edit the weights that a character has: transfer, mirror, smooth, prune, limit.
// Data flow: Character with skins → weights/ (transfer.h, mirror.h, clean.h) → *here* → the same Character.
#pragma once

#include <sinew/character/character.h>
#include <optional>

namespace sinew {

// Done in this order; what is not asked for is not done. Coincident vertices get equal weights in any case.
struct EditWeightsOptions {
    const Character* transfer_from =
        nullptr;                // takes weights from its surface, joints by name; both as they stand at rest
    std::optional<int> mirror;  // axis 0…2: its positive side onto the negative one
    int smooth = 0;             // passes
    float prune = 0.0f;         // weights below this go
    int influences = 0;         // at most, per vertex; 0: as many as there are
};

struct EditWeightsReport {
    size_t vertices = 0, changed = 0;
    size_t max_influences = 0, unweighted_vertices = 0;
    double largest_sum_error = 0.0;
    size_t transferred = 0;       // vertices that matched the source's surface; the others were filled in
    size_t mirror_unmatched = 0;  // vertices that found nothing at their mirror image
    std::vector<std::string> warnings;
};

// All skinned meshes in the scene are edited as one surface. Fails when there are none, or when no joint of the
// source's skins is found in the character by name; an error that is the source's says "transfer" in `where`.
Result<EditWeightsReport> edit_weights(Character& character, const EditWeightsOptions& options);

}  // namespace sinew
