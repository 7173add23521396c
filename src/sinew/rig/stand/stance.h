// Stance: one way a body could stand, and what speaks for it: legs on the ground, arms that are not, a way ahead.
// Data flow: limb_pairs.h, up_directions.h → *here* → reading.h.
#pragma once

#include <sinew/rig/body/limb_pairs.h>

namespace sinew {

// The body and its parts as seen with one mirror plane.
struct MirroredBody {
    const VoxelBody& body;
    const Extremities& ends;
    MirrorPlane plane;
    LimbPairs limbs;
    std::vector<std::vector<uint32_t>> ways;  // from each tip to the middle
    double size = 0.0;                        // longest side of the bounds

    const Extremity& end(int e) const { return ends.list[static_cast<size_t>(e)]; }
    Vec3d middle() const { return body.at(ends.middle); }
    // The place on the way from a tip to the middle where a share of its length lies behind.
    Vec3d behind(int e, double share) const;
};
MirroredBody see_mirrored(const VoxelBody& body, const Extremities& ends, const MirrorPlane& plane);

struct Stance {
    Vec3d up, forward;
    double ground = 0.0, height = 0.0, depth = 0.0;  // the first two along `up`, the last along `forward`
};
Stance stand_on(const VoxelBody& body, const Vec3d& up, const Vec3d& forward);

// 0…1: how much a pair of limbs looks like legs that stand on the ground, or like arms that do not.
double leg_strength(const MirroredBody& seen, const Stance& stance, const LimbPair& pair);
double arm_strength(const MirroredBody& seen, const Stance& stance, const LimbPair& pair);

// About −1…1; positive speaks for `forward`, negative for the opposite:
// which way the toes of a leg point; which end of the trunk is the head, by its height, bulk and ears; and whether more
// of the body lies ahead of the front legs or behind the hind legs (their places along forward).
double toes_forward(const MirroredBody& seen, const Stance& stance, int leg_tip);
double head_forward(const MirroredBody& seen, const Stance& stance);
double bulk_forward(const MirroredBody& seen, const Stance& stance, double front_legs, double hind_legs);

}  // namespace sinew
