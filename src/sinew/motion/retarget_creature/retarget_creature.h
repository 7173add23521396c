// Retargeting animals: a motion of one quadruped, bird, fish, snake or two-legged creature on another of its kind.
// Data flow: retarget.cpp → *here*, when the bodies are not both human → RetargetResult.
#pragma once

#include <sinew/motion/retarget.h>
#include <sinew/motion/retarget/source_clip.h>
#include <sinew/skeleton/creature.h>
#include <optional>

namespace sinew {

// Chain by chain: the target's joints take the source's world rotations since the common stance, its root the source's
// path scaled by leg length. Each foot then follows the source's foot, scaled, so that what stands still there stands
// still here; legs fold the way they are built. Nothing where the bodies are not of one kind.
std::optional<RetargetResult> retarget_creature(SourceClip clip, const CreatureMap& source_map, const Skeleton& target,
                                                const CreatureMap& target_map, const RetargetOptions& options);

}  // namespace sinew
