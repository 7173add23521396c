// Reference stance: brings two bodies to the same stance, so that "turned by this much since then" means the same for
// both. Data flow: two bodies → *here* → transfer.h, once per clip.
#pragma once

#include <sinew/motion/retarget/motion_body.h>

namespace sinew {

// The world rotation that lays a foot of the reference pose flat. `sole_up` is the direction in that pose that points
// up when the foot stands; zero means unknown. An unknown foot counts as flat, unless the legs are spread wide: in some
// motion files' rest poses the soles turn out with them.
Quatd level_foot(const Body& body, size_t side, Vec3d sole_up);

// A target joint and the source joint that turns it. The target's world rotation is M·D·Mᵀ·target_reference, where D is
// the source's world rotation since its reference and M = target_from_source. Where the chains differ in length, D
// blends between two source joints.
struct Drive {
    int32_t target = -1;
    int32_t source_a = -1, source_b = -1;
    double blend = 0.0;
    Quatd source_reference_a, source_reference_b;
    Quatd target_reference;
};

struct Alignment {
    Quatd target_from_source;
    double scale = 1.0;         // target leg / source leg
    bool same_build = false;    // the bodies differ only by rotation, scale and rest pose: nothing needs correcting
    std::vector<Drive> drives;  // in the order of their targets, so parents before children
};

// In the common stance the target's limbs point the way the source's do, its trunk and head keep their own directions,
// and all feet are flat. `sole_up` is as level_foot takes it, for the source's two feet.
Alignment align(const Body& source, const Body& target, const std::array<Vec3d, 2>& sole_up);

}  // namespace sinew
