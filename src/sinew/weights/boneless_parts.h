// Parts without bones (eyes, buttons, a sword, a belt): each follows what it touches.
// Data flow: WeightField (of a method) → *here* → WeightField; what was done goes into the report.
#pragma once

#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/field.h>

namespace sinew {

// What became of one piece.
struct PartBinding {
    int32_t follows = -1;  // rigid: the joint that it follows most; −1: not rigid
    int32_t pivot = -1;    // the joint about which it turns, or −1
    bool on_skin = false;  // it moves as the skin under it does
};

// The body is every piece with a bone in it or, if there is none, the largest piece. Of the other pieces:
// * A closed piece around a joint (the ball of a knee) and a piece around an eye's joint turn with that joint.
// * A piece that is small, or touches the body in one place only (a sword), is rigid: all its vertices get the weights
// of
//   the body where it is nearest. So is a piece that sits on one bone's skin alone (a hat, an ear), unless it follows
//   another bone already.
// * A closed piece that lies on the body over several bones (a belt, a breastplate, hair) moves as the skin under it.
// * Any other piece keeps the weights it has.
// Returns one answer per piece.
std::vector<PartBinding> bind_boneless_parts(WeightField& field, const Surface& surface, const BoneChoice& choice);

}  // namespace sinew
