// The table of priors: every row, to print, to check and to measure again. Data flow: people.h, animals.h, cues.h →
// *here* → bench/rig_priors_bench.cpp, tests/rig/priors_test.cpp. Fitters use the rows by name and do not come here.
#pragma once

#include <sinew/rig/priors/prior.h>
#include <span>

namespace sinew {

std::span<const Proportion* const> people_proportions();
std::span<const Proportion* const> animal_proportions();
std::span<const Proportion* const> stance_proportions();
std::span<const Cue* const> confidence_cues();

}  // namespace sinew
