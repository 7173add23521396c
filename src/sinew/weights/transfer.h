// Transferred weights: from one mesh to another, by the nearest surface where the two agree, filled in elsewhere.
// Data flow: a source's Surface and WeightField → *here* → WeightField of another Surface.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/surface/surface.h>

namespace sinew {

struct TransferOptions {
    double distance = 0.05;  // of the source's size: a surface farther off is no match. As in the paper's code
    double normal_cosine =
        0.5;  // normals 60° apart are no match: a palm must not take from the thigh beside it. Chosen
};

struct TransferResult {
    WeightField field;
    size_t matched = 0;  // vertices that took their weights from the source; the others were filled in
};

// The surfaces are compared where they stand in the meshes' space. Vertices without a match take the smoothest weights
// between those that have one [Abdrashitov2023]. A piece without any match takes the nearest surface's weights after
// all.
TransferResult transfer_weights(const Surface& source, const WeightField& source_field, const Surface& target,
                                const TransferOptions& options = {});

}  // namespace sinew
