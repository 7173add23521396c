// Built-in motions: walk, run, idle, wave, jump as parametric gait code on the humanoid roles.
// Data flow: a name → *here* (skeleton + clip, as if read from a file) → motion/retarget.h → a character.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/core/result.h>
#include <sinew/skeleton/skeleton.h>
#include <string_view>
#include <vector>

namespace sinew {

// A 1.75 m body in T-pose, standing on y = 0 and facing +Z; joints are named by their VRM roles.
Skeleton humanoid_reference_skeleton();

// The names that builtin_motion() knows: "walk", "run", "idle", …
std::vector<std::string_view> builtin_motion_names();

struct Motion {
    Skeleton skeleton;
    Clip clip;  // loops seamlessly unless it is a jump
};
// Unknown names fail, listing the closest known ones.
Result<Motion> builtin_motion(std::string_view name);

}  // namespace sinew
