// Joining clips: one after another, and an end joined to its own beginning.
// Data flow: clips of one body → *here* → Clip.
#pragma once

#include <sinew/edit/frames.h>

namespace sinew {

// First one, then the other. The second begins where the first ends on the ground and looks the same way; over `blend`
// seconds the first fades into the second, without a jump in speed. The result is `blend` seconds shorter than both
// together. `blend` is shortened to half of the shorter clip.
Clip concatenate(const Clip& first, const Clip& second, const ClipBody& body, float blend = 0.2f);

// A cycle: the clip's last `blend` seconds fade into its first ones, so that it ends as it begins, with the same speed.
// The result is `blend` seconds shorter, at most half. A body that travels goes on travelling: each round adds the same
// way.
Clip loop_clip(const Clip& clip, const ClipBody& body, float blend = 0.2f);

}  // namespace sinew
