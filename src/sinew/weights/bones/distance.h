// The two simplest methods: weights by the distance to each bone, or the nearest bone alone.
// Data flow: Surface, bones → *here* → WeightField.
#pragma once

#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/field.h>

namespace sinew {

// w ∝ 1 / d⁴, where d is the distance to the joint's nearest bone; joints farther than four times the nearest get
// nothing. This is blind to the surface: a hand beside a thigh follows the thigh.
WeightField distance_weights(const Surface& surface, std::span<const Bone> bones);

// Every vertex follows the nearest joint alone.
WeightField rigid_weights(const Surface& surface, std::span<const Bone> bones);

}  // namespace sinew
