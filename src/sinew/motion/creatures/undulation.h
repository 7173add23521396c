// Undulation: bodies that move by waves along their backbone. Fish swim, snakes crawl.
// Data flow: CreatureBody → *here* → CreaturePoses.
#pragma once

#include <sinew/motion/creatures/legged_gait.h>

namespace sinew {

// The joints of the backbone from the head to the end of the tail, whatever their order in the tree.
JointChain backbone(const CreatureBody& body);

// A wave travels from head to tail and grows on its way. `vigour` 1 swims ahead, less hovers.
CreaturePoses swim_poses(const CreatureBody& body, double fps, double vigour = 1.0);

// The body follows its head along a serpenoid curve, whose heading is a sine of the way along it [Hirose1993].
CreaturePoses slither_poses(const CreatureBody& body, double fps);

}  // namespace sinew
