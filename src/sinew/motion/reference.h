// Reference stance: two skeletons at rest brought to the same stance, so that "turned by this much from there" means the
// same for both. Data flow: two bodies → *here* → retarget.cpp, once per clip.
#pragma once

#include <sinew/motion/body.h>

namespace sinew {

// One side of a transfer. `reference` is the pose the motion is measured from: rest, or a frame of the clip where rest is
// no stance.
struct Body {
    const Skeleton& skeleton;
    HumanoidMap map;
    WorldPose reference;
    Mat3d frame;
    double leg = 1.0;
    std::array<FootPoints, 2> feet;
};
Body make_body(const Skeleton& skeleton, const HumanoidMap& map, WorldPose reference);

// A target joint and what turns it. Its world rotation is M·D·Mᵀ·reference, with D the source's world rotation since its
// reference (blended between two source joints where chains differ in length) and M = target_from_source.
struct Drive {
    int32_t target = -1;
    int32_t source_a = -1, source_b = -1;
    double blend = 0.0;
    Quatd source_reference_a, source_reference_b;
    Quatd target_reference;
};

struct Alignment {
    Quatd target_from_source;
    double scale = 1.0;  // target leg / source leg
    bool same_build = false;  // the two differ by turning and scaling alone: nothing needs correcting
    std::vector<Drive> drives;  // parents before children
};

// `sole_up[side]` is the direction in the source's reference pose that points up when that foot stands flat; zero where
// unknown. Limbs take the source's directions; trunk and head keep the target's; feet are flat on both.
Alignment align(const Body& source, const Body& target, const std::array<Vec3d, 2>& sole_up);

}  // namespace sinew
