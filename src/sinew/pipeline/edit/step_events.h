// Step events: the moments at which a foot lands. Data flow: Clip of a person → *here* → Clip::events.
#pragma once

#include <sinew/edit/frames.h>

namespace sinew {

// "step_left" and "step_right", in order of time. Also of clips that walk on the spot, where the ground moves under the
// feet. Fails on bodies whose feet are not known.
Result<std::vector<ClipEvent>> find_steps(const Clip& clip, const ClipBody& body);

}  // namespace sinew
