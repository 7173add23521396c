// Root motion: the way a body goes over the ground, apart from what it does on the way.
// Data flow: Clip → *here* → RootMotion + a clip in place, and back; join.h aligns clips with it.
#pragma once

#include <sinew/edit/frames.h>
#include <span>

namespace sinew {

// Where the body stands on the ground and which way it looks, relative to its rest pose: yaw in radians about +Y.
struct GroundPlace {
    double x = 0.0, z = 0.0, yaw = 0.0;
};
// The place that stands to b as if a were the origin: a · b; and its inverse.
GroundPlace compose(const GroundPlace& a, const GroundPlace& b);
GroundPlace inverse(const GroundPlace& place);

struct RootMotion {
    std::vector<int32_t> carriers;  // find_carriers()
    std::vector<float> times;
    std::vector<GroundPlace> places;
};

// The place of the first carrier in a pose.
GroundPlace ground_place(const Pose& pose, const ClipBody& body, std::span<const int32_t> carriers);
// Moves the carriers so that the place becomes compose(by, place).
void move_pose(const GroundPlace& by, const ClipBody& body, std::span<const int32_t> carriers, Pose& pose);
// The same for a body that one joint carries.
inline GroundPlace ground_place(const Pose& pose, const ClipBody& body, const int32_t& carrier) {
    return ground_place(pose, body, std::span(&carrier, 1));
}
inline void move_pose(const GroundPlace& by, const ClipBody& body, const int32_t& carrier, Pose& pose) {
    move_pose(by, body, std::span(&carrier, 1), pose);
}

// Takes the way out of the clip: the body stays over the origin and looks ahead. Yaw has no jumps.
struct InPlaceClip {
    Clip clip;
    RootMotion motion;
};
InPlaceClip extract_root_motion(const Clip& clip, const ClipBody& body);
// Puts it back: apply(extract(clip)) is the clip.
Clip apply_root_motion(const Clip& clip, const ClipBody& body, const RootMotion& motion);

}  // namespace sinew
