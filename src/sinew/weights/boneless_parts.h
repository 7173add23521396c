// Parts without bones: eyes, buttons, a sword. They follow what they touch, all of a piece.
// Data flow: WeightField (of a method) → *here* → WeightField; what was done goes into the report.
#pragma once

#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/field.h>

namespace sinew {

// What became of one piece.
struct PartBinding {
    int32_t follows = -1;  // the joint that it goes with, most of all; −1: it is not rigid
    int32_t pivot = -1;    // the joint that it turns about, or −1
    bool on_skin = false;  // it moves as the skin under it
};

// A closed piece around a joint (the ball of a knee) and what lies around an eye's joint turn with that joint. A piece
// in which no bone runs, and which is small or touches the body in one place only, gets one set of weights: those of
// the body where it is nearest. So does one that sits on one bone's skin alone (a hat, an ear), unless another bone has
// it to itself. One that lies on the body over several bones (a belt, a breastplate, hair) moves as the skin under it.
// Any other piece keeps the weights it has. The body is every piece with a bone in it; failing that, the largest. One
// answer per piece.
std::vector<PartBinding> bind_boneless_parts(WeightField& field, const Surface& surface, const BoneChoice& choice);

}  // namespace sinew
