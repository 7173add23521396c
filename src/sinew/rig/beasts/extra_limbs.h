// Extra limbs: a second pair of arms, or wings, on a person's trunk. Data flow: fit/biped.h → *here* → Fit.
#pragma once

#include <sinew/rig/fit/fit.h>
#include <vector>

namespace sinew {

struct ExtraPair {
    int tips[2] = {-1, -1};      // extremities, left and right
    Vec3d root = Vec3d::Zero();  // where it leaves the trunk, the mean of both sides; x is the distance from the plane
    double length = 0.0;         // from there to the tip
    bool wings = false;          // it grows from the back
};

// The pairs that are no legs, arms, ears or fingers: they grow from the trunk of a fitted biped between waist and neck,
// and are about as long as its arms. The highest first.
std::vector<ExtraPair> find_extra_pairs(const Upright& upright, const Fit& biped);

// Adds their joints to the nearest joint of the spine: "leftExtraUpperArm", "leftExtraLowerArm", "leftExtraHand" (of a
// third pair "leftExtra2UpperArm"), or those of a wing.
void add_extra_limbs(const Upright& upright, const std::vector<ExtraPair>& pairs, Fit& fit);

}  // namespace sinew
