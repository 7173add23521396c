// Puppets: bodies whose arms and legs are one part each, as blocky game characters have them: no knee, no elbow.
// Data flow: Skeleton → *here* → motion/skinned/puppet_rig.h.
#pragma once

#include <sinew/skeleton/skeleton.h>
#include <array>
#include <optional>

namespace sinew {

struct PuppetMap {
    std::array<int32_t, 2> leg = {-1, -1}, arm = {-1, -1};  // left, right
    int32_t hips = -1;                                      // carries the legs and all else
    int32_t torso = -1, head = -1;                          // −1 where there is none of its own
};

// By names: one joint per leg and per arm, with nothing below that is a further bone. Nothing for a body that has
// knees or elbows, or whose names do not tell its sides.
std::optional<PuppetMap> recognise_puppet(const Skeleton& skeleton);

}  // namespace sinew
