// Bone heat: each bone warms the skin nearest to it, the heat spreads along the surface, and the temperatures are the
// weights [Baran2007]. Data flow: Surface, bones → *here* → WeightField.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/heat/heat_sources.h>

namespace sinew {

struct HeatResult {
    WeightField field;
    bool solved =
        true;  // false: neither a factorisation nor iterations worked, and the sources themselves are the answer
};

// Solves (L + A·H) w = A·H·p for all bones with one factorisation. Every vertex takes up some heat, and every
// triangle's share of L is positive semidefinite, so the matrix is never singular, whatever the mesh. Vertices without
// triangles get the bones that warm them. Rows sum to 1 (to rounding) before the small ones fade out.
HeatResult heat_weights(const Surface& surface, std::span<const Bone> bones, const HeatOptions& options = {});

}  // namespace sinew
