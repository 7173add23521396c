// What follows along on bodies that move as people do: a tail, and arms beyond the first two.
// Data flow: Skeleton, CreatureMap, Clip of the body → *here* → the same clip with tracks for these.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/humanoid.h>

namespace sinew {

// Each joint of the tail lags behind the one before it: the tail keeps its direction for a moment while the hips turn,
// and swings after them. A clip that loops still does. Tails that the clip already moves are left alone.
void follow_with_tail(const Skeleton& skeleton, const CreatureMap& map, Clip& clip);

// Arms besides those of the roles (joints called "…ExtraUpperArm" and the like, as rig names them) hang where the arm
// of their side hangs, a little farther out, and swing and bend as it does. Arms that the clip already moves are left
// alone.
void follow_with_extra_arms(const Skeleton& skeleton, const HumanoidMap& roles, Clip& clip);

}  // namespace sinew
