// Foot turns: how each foot is turned in each frame before it is placed: still while it stands flat.
// Data flow: LegMotion + contacts of ankle and ball → *here* → LegMotion → toe_bend.h, joint_solve.h.
#pragma once

#include <sinew/motion/plant/foot_contacts.h>
#include <sinew/motion/plant/leg_motion.h>

namespace sinew {

// Per frame the number of the contact it belongs to, else −1.
std::vector<int32_t> contact_numbers(const std::vector<Contact>& contacts, size_t frames);

// Captures sometimes turn a foot upside down. Such a foot is turned back about its length.
void unfold_foot(double fps, LegMotion& leg);

// While both ankle and ball stand, the foot keeps the mean of its rotations. What that changes fades in and out.
void hold_flat_foot(const std::vector<int32_t>& ankle, const std::vector<int32_t>& ball, double fps, LegMotion& leg);

}  // namespace sinew
