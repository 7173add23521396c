// The legs of a quadruped, pair by pair. Internal to quadruped.h.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// The middle of a leg at every height, from horizontal cuts. Which of its toes it was found by makes no difference.
struct LegLine {
    std::vector<Vec3d> centre;       // of each level, from the ground up
    std::vector<double> half_depth;  // of each level
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

// Finds lines and crotch. The joints follow in place_front and place_hind.
LegPair trace_leg_pair(const Upright& upright, const int (&tips)[2]);

// 0 for legs as slender as a horse's, 1 for animals that walk on paws. Rigs have elbow and knee lower on slender legs;
// on the others they are hidden in the trunk.
double paws(const LegPair& front);

// The height of the back, halfway between the legs.
double back_height(const Upright& upright, const LegPair& front, const LegPair& hind);

// `back` is the height of the back. Joints hidden in the trunk are shares of the way from the crotch up to it.
void place_front(const Upright& upright, double back, double paws, LegPair& pair);
void place_hind(const Upright& upright, double back, double paws, LegPair& pair);

}  // namespace sinew
