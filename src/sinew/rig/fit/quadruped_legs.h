// The legs of a quadruped, pair by pair. Internal to quadruped.h.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// The middle of a leg at every height, from horizontal cuts: which toe the leg was found by makes no difference.
struct LegLine {
    std::vector<Vec3d> centre;       // of each level, from the ground up
    std::vector<double> half_depth;  // of the same
    double cell = 1.0;

    Vec3d at(double y) const;  // ends held
    double depth_at(double y) const;
};

struct AnimalLeg {
    Vec3d upper, lower, foot, toes;
    LegLine line;
};

struct LegPair {
    AnimalLeg side[2];
    Vec3d crotch;
};

// Lines and crotch; the joints follow in place_front and place_hind.
LegPair trace_leg_pair(const Upright& upright, const int (&tips)[2]);

// 0 for legs as slender as a horse's, 1 for those of animals that walk on paws: what is called elbow and knee in rigs
// lies lower on the former, the joints of a paw's being hidden in the trunk.
double paws(const LegPair& front);

// `back` is the height of the back. Joints that cannot be seen are shares of the way from the crotch up to it.
void place_front(const Upright& upright, double back, double paws, LegPair& pair);
void place_hind(const Upright& upright, double back, double paws, LegPair& pair);

}  // namespace sinew
