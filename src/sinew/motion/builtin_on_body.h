// A built-in motion on a body of any kind: a person's is retargeted, a creature's is made on its own joints.
// Data flow: a name + SkinnedSkeleton → *here* → retarget_skinned.h or creatures/creature_motion.h → Clip.
#pragma once

#include <sinew/motion/retarget.h>
#include <sinew/motion/skinned/skinned_skeleton.h>
#include <string_view>

namespace sinew {

// A body that has no such motion gets the one that comes nearest, with a warning; where there is none, the error lists
// what it has. A person with a tail moves the tail too. Of `options`, creatures heed fps and in_place_root.
Result<RetargetResult> builtin_on_body(std::string_view name, const SkinnedSkeleton& body,
                                       const RetargetOptions& options = {});

}  // namespace sinew
