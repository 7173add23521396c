// Reading a clip as a cycle: how fast it goes, and when each foot is down. Data flow: Clip → *here* → gait.h.
#pragma once

#include <sinew/flock/gait/gait.h>

namespace sinew {

// `standing`: a clip that goes nowhere; all feet are down.
GaitCycle read_gait_cycle(const Skeleton& skeleton, std::span<const GaitLeg> legs, const Clip& clip, bool standing);

}  // namespace sinew
