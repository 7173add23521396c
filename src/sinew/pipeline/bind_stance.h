// Bind stance: the pose a character was bound in, where its file rests in the middle of a movement. Exporters often
// leave the joints of a rigged file at the first frame of its animation; the skin still knows how the body stood. Data
// flow: Character → *here* → motion/retarget.h → animate.cpp.
#pragma once

#include <sinew/character/character.h>
#include <optional>

namespace sinew {

// The skeleton with its bind pose as its rest: only of a person, only where bind pose and rest differ, agree on the
// bones' lengths, and the bind pose is the one that stands straighter.
std::optional<Skeleton> bind_stance(const Character& character);

// Keys that hold the joints the clip does not move as they are in `stance`, where the character's own rest differs.
void hold_stance(const Skeleton& rest, const Skeleton& stance, Clip& clip);

}  // namespace sinew
