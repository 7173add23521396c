// Clean body: T-pose frames at the ends, drift of the root, feet that slide.
// Data flow: ClipFrames → *here* (own_feet.h) → ClipFrames + a list of changes.
#pragma once

#include <sinew/edit/frames.h>
#include <sinew/motion/retarget/motion_body.h>
#include <sinew/sets/clean/clean_clip.h>
#include <optional>

namespace sinew {

// Captures begin, or end, with frames of a calibration pose and jump away from it: several joints at once, by far more
// than ever after. Such frames are removed from `frames`; their times stay.
void drop_t_poses(const Clip& clip, double fps, ClipFrames& frames, CleanResult& result);

// Drift, then feet, as the options say. Without a person there is a warning where feet were asked for.
void clean_feet(const std::optional<Body>& person, double fps, const CleanOptions& options, ClipFrames& frames,
                CleanResult& result);

}  // namespace sinew
