// Which bodies on two legs are beasts, though their joints may be called as a person's are.
// Data flow: creature.h → *here* → motion/builtin_on_body.h.
#pragma once

#include <sinew/skeleton/creature.h>

namespace sinew {

// Its trunk is level and a tail balances it, as of T. rex and most birds.
bool is_beast_on_two_legs(const Skeleton& skeleton, const CreatureMap& map);

}  // namespace sinew
