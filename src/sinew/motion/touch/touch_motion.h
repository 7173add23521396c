// Touch in a retargeted motion: settle_body.h and place_arms.h applied to a TargetMotion.
// Data flow: TargetMotion + the source's clip → *here* → TargetMotion.
#pragma once

#include <sinew/motion/retarget/source_clip.h>
#include <sinew/motion/retarget/target_motion.h>
#include <sinew/motion/touch/body_shape.h>

namespace sinew {

struct TouchPlan {
    const Body& source;
    const Body& target;
    const Alignment& alignment;
    BodyShape source_shape, target_shape;
    double source_floor = 0, target_floor = 0;  // heights along each body's up
    double fps = 30;
};

// Raises and tilts the body where trunk, head or knees are below the floor; returns by how much that raises the lower
// foot of each frame. Feet near the floor stay as flat as they were. Do this before the feet are planted.
std::vector<double> lift_off_floor(const TouchPlan& plan, TargetMotion& motion);

// Turns the arms. Do this last: hands touch legs where the legs are in the end.
void touch_as_source(const TouchPlan& plan, const SourceClip& clip, TargetMotion& motion);

}  // namespace sinew
