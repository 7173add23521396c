// Parts without bones: eyes, buttons, a sword. They follow what they touch, all of a piece.
// Data flow: WeightField (of a method) → *here* → WeightField; what was done goes into the report.
#pragma once

#include <sinew/weights/bones.h>
#include <sinew/weights/field.h>

namespace sinew {

// A piece in which no bone runs, and which is small or touches the body in one place only, gets one set of weights:
// those of the body where it is nearest. Any other piece (a cape, a coat) keeps the weights it has. The body is every
// piece with a bone in it, and the largest. Returns, per piece, the vertex of the body that it was hung on, or −1.
std::vector<int64_t> bind_parts(WeightField& field, const Surface& surface, std::span<const Bone> bones);

}  // namespace sinew
