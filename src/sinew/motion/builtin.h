// Built-in motions, made by code. A person's (walk, run, sneak, idle, wave, jump) are made here on a reference
// skeleton; those of animals, birds, fish, snakes and grown rigs are made on the body itself when a name meets one.
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

// The motions of every kind of body: people, then the kinds that recognise_creature() tells apart.
struct BuiltinMotions {
    std::string_view kind;  // "person", "quadruped", "bird", …
    std::vector<std::string_view> names;
};
std::vector<BuiltinMotions> builtin_motions_by_kind();

// Of the body that a skeleton is, as recognise_creature() sees it. Without a name and motions where it has no joints.
BuiltinMotions builtin_motions_of(const Skeleton& skeleton);

// Fails with not_found where no kind of body has a motion of that name; the message suggests the known ones.
Result<void> check_builtin_name(std::string_view name);

struct Motion {
    Skeleton skeleton;
    Clip clip;  // loops seamlessly unless it is a jump
};
// A person's motion. An unknown name fails with not_found; the message suggests the known ones.
Result<Motion> builtin_motion(std::string_view name);

}  // namespace sinew
