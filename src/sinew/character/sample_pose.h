// A character's pose at a time of a clip: the rest pose, then what the clip animates.
// Data flow: Character, Clip → *here* → Pose → character/character_deformer.h.
#pragma once

#include <sinew/character/character.h>

namespace sinew {

// The character at `time` of `clip` (null: at rest). A pose that is kept from frame to frame is not allocated again.
void sample_pose(const Character& character, const Clip* clip, float time, Pose& pose);

// The same as a new pose.
Pose pose_at(const Character& character, const Clip* clip, float time);

}  // namespace sinew
