// The two simplest bindings: every vertex to its nearest bones by distance, or to the nearest one alone.
// Data flow: Surface, bones → *here* → WeightField.
#pragma once

#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/field.h>

namespace sinew {

// w ∝ 1 / d⁴ to the nearest segment of each joint, of the joints within four times the smallest distance. It is blind
// to the surface: a hand beside a thigh follows the thigh.
WeightField distance_weights(const Surface& surface, std::span<const Bone> bones);

// The nearest joint, whole.
WeightField rigid_weights(const Surface& surface, std::span<const Bone> bones);

}  // namespace sinew
