// Keying a pose: local transforms written into a clip at one time, as keys of the tracks that they differ from.
// Data flow: a pose that the user made → *here* → Clip.
#pragma once

#include <sinew/character/character.h>

namespace sinew::web {

// For every wanted joint, and each of translation, rotation and scale: a key where the clip has a track of it, or where
// the pose differs from what the clip shows at that time. A new track begins with what was shown before, at 0. Cubic
// tracks get slopes that keep their shape nearly; a key at that time is replaced. Returns the number of keys written.
int32_t key_pose(const Character& character, std::span<const Transform> pose, std::span<const char> wanted, float time,
                 Clip& clip);

}  // namespace sinew::web
