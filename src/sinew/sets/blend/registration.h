// Registration: which moment of one cycle is which of another, and where a clip repeats itself.
// Data flow: window clouds (graph/window_distance.h) → *here* → parametric_motion.h.
#pragma once

#include <sinew/sets/graph/window_distance.h>
#include <vector>

namespace sinew {

// Frames of the clip, of which `frames` later all is as at `first`; 0 frames: the clip has no cycle.
struct CycleFrames {
    size_t first = 0, frames = 0;
};
// The stretch of 0.4 to 2.5 s whose ends are most alike, and much more so than neighbouring frames further on are; the
// shortest of several.
CycleFrames find_cycle(const WindowClouds& clouds);

// `frames` + 1 columns from `first` on; fewer at the end of the clip.
WindowClouds cut_clouds(const WindowClouds& clouds, size_t first, size_t frames);

// The start of a round of `cycle`'s length at which the clip is most like the beginning of the reference, and most like
// itself a round later.
size_t best_start(const WindowClouds& reference, const WindowClouds& clouds, const CycleFrames& cycle);

// Dynamic time warping of two rounds that go on: for `steps` + 1 even phases of the reference, the frame of the cycle
// that goes with it. The last is a whole round after the first, which may lie a little before or after 0. Between half
// and twice as fast as an even pace, and smooth over a tenth of a second.
std::vector<double> registration_curve(const WindowClouds& reference, const WindowClouds& cycle, size_t steps);

}  // namespace sinew
