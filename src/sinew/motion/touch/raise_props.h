// Raise props: turns hands in their wrists so that what they hold, a shield or a sword, stays above the floor.
// Data flow: BodyMotion, ArmPath → *here* → ArmPath::hand → arm_solve.h, which raises the arm for what is left.
#pragma once

#include <sinew/motion/touch/arm_path.h>

namespace sinew {

// Each hand turns the shortest way, and no farther than a wrist does; smoothly over time. Nothing happens where a hand
// holds nothing.
void raise_props(const BodyMotion& body, double fps, std::array<ArmPath, 2>& arms);

}  // namespace sinew
