// Clean joints: spikes, gaps and noise of each joint's own curves.
// Data flow: ClipFrames → *here* (find_damage.h, smooth_curve.h, filters.h) → ClipFrames + a list of changes.
#pragma once

#include <sinew/edit/frames.h>
#include <sinew/sets/clean/clean_clip.h>
#include <span>

namespace sinew {

// `metres`: in one unit of the skeleton's. `parents`: of its joints.
void clean_joints(std::span<const int32_t> parents, const Clip& clip, double fps, double metres,
                  const CleanOptions& options, ClipFrames& frames, CleanResult& result);

}  // namespace sinew
