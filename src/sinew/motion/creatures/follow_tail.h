// A tail that follows: for bodies that move as people do and have a tail besides.
// Data flow: Skeleton, CreatureMap, Clip of the body → *here* → the same clip with tracks for the tail.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/creature.h>

namespace sinew {

// Each joint of the tail lags behind the one before it: the tail keeps its direction for a moment while the hips turn,
// and swings after them. A clip that loops still does. Tails that the clip already moves are left alone.
void follow_with_tail(const Skeleton& skeleton, const CreatureMap& map, Clip& clip);

}  // namespace sinew
