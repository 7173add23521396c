// Clean joints: spikes, gaps and noise of each joint's own curves.
// Data flow: ClipFrames → *here* (find_damage.h, smooth_curve.h, filters.h) → ClipFrames + a list of changes.
#pragma once

#include <sinew/edit/frames.h>
#include <sinew/sets/clean/clean_clip.h>

namespace sinew {

// `metres`: in one unit of the skeleton's.
void clean_joints(const Clip& clip, double fps, double metres, const CleanOptions& options, ClipFrames& frames,
                  CleanResult& result);

}  // namespace sinew
