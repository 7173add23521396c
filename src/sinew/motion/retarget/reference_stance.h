// Reference stance: two skeletons at rest brought to the same stance, so that "turned by this much from there" means
// the same for both. Data flow: two bodies → *here* → retarget.cpp, once per clip.
#pragma once

#include <sinew/motion/retarget/motion_body.h>

namespace sinew {

// One side of a transfer. `reference` is the pose the motion is measured from: rest, or a frame of the clip where rest
// is no stance.
struct Body {
    const Skeleton& skeleton;
    HumanoidMap map;
    WorldPose reference;
    Mat3d frame;
    double leg = 1.0;
    std::array<FootPoints, 2> feet;
};
Body make_body(const Skeleton& skeleton, const HumanoidMap& map, WorldPose reference);

// The turn in world space that lays a foot of the reference pose flat. `sole_up` is the direction in that pose that
// points up when the foot stands; zero where unknown: then feet are flat already, unless the legs are spread wide and
// the soles turned along with them, as some motion files rest.
Quatd level_foot(const Body& body, size_t side, Vec3d sole_up);

// A target joint and what turns it. Its world rotation is M·D·Mᵀ·reference, with D the source's world rotation since
// its reference (blended between two source joints where chains differ in length) and M = target_from_source.
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
    bool same_build = false;    // the two differ by turning and scaling alone: nothing needs correcting
    std::vector<Drive> drives;  // parents before children
};

// `sole_up` as level_foot takes it, for the source. Limbs take the source's directions; trunk and head keep the
// target's; feet are flat on both.
Alignment align(const Body& source, const Body& target, const std::array<Vec3d, 2>& sole_up);

}  // namespace sinew
