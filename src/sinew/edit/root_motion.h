// Root motion: the way a body goes over the ground, apart from what it does on the way.
// Data flow: Clip → *here* → RootMotion + a clip in place, and back; join.h aligns clips with it.
#pragma once

#include <sinew/edit/frames.h>

namespace sinew {

// Where the body stands on the ground and which way it looks, relative to its rest pose: yaw in radians about +Y.
struct GroundPlace {
    double x = 0.0, z = 0.0, yaw = 0.0;
};
// The place that stands to b as if a were the origin: a · b; and its inverse.
GroundPlace compose(const GroundPlace& a, const GroundPlace& b);
GroundPlace inverse(const GroundPlace& place);

struct RootMotion {
    int32_t joint = 0;  // that carries the body
    std::vector<float> times;
    std::vector<GroundPlace> places;
};

// The carrier's place in a pose.
GroundPlace ground_place(const Pose& pose, const ClipBody& body, int32_t carrier);
// Moves the carrier so that its place becomes compose(by, place).
void move_pose(const GroundPlace& by, const ClipBody& body, int32_t carrier, Pose& pose);

// Takes the way out of the clip: the body stays over the origin and looks ahead. Yaw has no jumps.
struct InPlaceClip {
    Clip clip;
    RootMotion motion;
};
InPlaceClip extract_root_motion(const Clip& clip, const ClipBody& body);
// Puts it back: apply(extract(clip)) is the clip.
Clip apply_root_motion(const Clip& clip, const ClipBody& body, const RootMotion& motion);

}  // namespace sinew
