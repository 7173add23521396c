// The parts of a biped as fit_biped finds them one after another. Internal to biped.h.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

struct Leg {
    Vec3d hip, knee, ankle, ball, toe;
    double ankle_slice = 0.0, top_slice = 0.0;  // along `limb`: the ankle, and where it joins the other leg
    TracedLimb limb;
};

struct Legs {
    Leg side[2];
    Vec3d crotch;
    bool found = false;
    bool bent = false;  // it sits or crouches: thighs do not hang below the crotch
};

struct Arm {
    Vec3d shoulder, elbow, wrist, tip;
    double shoulder_slice = 0.0, elbow_slice = 0.0, wrist_slice = 0.0;
    TracedLimb limb;
    double contrast = 0.0;  // how suddenly the trunk begins; 1: slices double within a few
};

struct Arms {
    Arm side[2];
    bool found = false;
};

struct BipedTrunk {
    TracedLimb limb;  // from the top of the head down
    Vec3d top, narrow, neck, head, pelvis, spine[3];
    double neck_contrast = 0.0;  // how much narrower the neck is than head and trunk
};

// Feet, ankles and crotch. Knees and hips follow in place_hips, when the shoulders are known.
Legs find_legs(const Upright& upright);
Arms find_arms(const Upright& upright, const Legs& legs);
// Arms that hang seem to join the trunk below the shoulder. The shoulder is farther along the arm, at the height that
// the neck asks for.
void raise_shoulders(const Upright& upright, Arms& arms);
BipedTrunk find_trunk(const Upright& upright, const Legs& legs, const Arms& arms);
// Puts shoulders where people have them. Pads and sleeves make arms begin too far out, jackets too far in, a head
// beside an arm anywhere. But shoulders are in proportion to the trunk's height, narrower below a large head, and
// mirror each other whatever the arms do.
void mend_shoulders(const Upright& upright, const Legs& legs, const BipedTrunk& trunk, Arms& arms);
void place_hips(const Upright& upright, const Vec3d& shoulders, Legs& legs);

}  // namespace sinew
