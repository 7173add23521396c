// Wings: spread, folded, flapping and gliding. Data flow: CreatureBody → *here* → CreaturePoses.
#pragma once

#include <sinew/motion/creatures/legged_gait.h>

namespace sinew {

// Lays the wings at the body's sides, where they rest spread. `share`: 0 as at rest, 1 folded.
void fold_wings(const CreatureBody& body, double share, CreaturePose& pose);

CreaturePoses flap_poses(const CreatureBody& body, double fps);
CreaturePoses glide_poses(const CreatureBody& body, double fps);

}  // namespace sinew
