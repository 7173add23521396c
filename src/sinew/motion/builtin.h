// Built-in motions for people: walk, run, sneak, idle, wave, jump, made by code on a reference skeleton.
// Data flow: a name → *here* → skeleton + clip, as if read from a file → motion/retarget.h → a character.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/core/result.h>
#include <sinew/skeleton/skeleton.h>
#include <string_view>
#include <vector>

namespace sinew {

// The body that the built-in motions move: 1.75 m tall, in T-pose, standing on y = 0 and facing +Z. Its joints are
// named by their VRM roles.
Skeleton humanoid_reference_skeleton();

// The names that builtin_motion() knows: "walk", "run", "idle", …
std::vector<std::string_view> builtin_motion_names();

struct Motion {
    Skeleton skeleton;
    Clip clip;  // loops seamlessly unless it is a jump
};
// An unknown name fails with not_found; the message suggests the known ones.
Result<Motion> builtin_motion(std::string_view name);

}  // namespace sinew
