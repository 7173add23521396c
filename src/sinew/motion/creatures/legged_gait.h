// Legged gaits: walking, trotting, galloping, hopping and crawling on the creature's own legs.
// Data flow: CreatureBody + a row of gait_table.h → *here*: feet, trunk, legs by leg_solver.h → CreaturePoses.
//
// Feet come first: planted ones stay where they struck. Pelvis, shoulders, back, neck and tail follow the feet. The
// body sinks, and the stride shortens, as far as planted feet need it to be reached.
#pragma once

#include <sinew/motion/creatures/gait_table.h>
#include <sinew/motion/creatures/leg_solver.h>
#include <vector>

namespace sinew {

// A motion as poses at equal steps. A loop's last pose is its first, moved by the distance travelled.
struct CreaturePoses {
    std::vector<CreaturePose> poses;
    double step = 1.0 / 30.0;        // seconds
    std::vector<Vec3d> travel;       // per pose: how far the creature has come; taken out where it shall stay in place
    std::vector<std::string> notes;  // what its user should know
};

// Times of keys: `fps` or a multiple of it, so that one cycle has at least `least_keys`, and a whole number of them.
struct KeyTimes {
    double step = 0.0;
    int per_cycle = 0, cycles = 1;
    int count() const { return per_cycle * cycles; }
};
KeyTimes key_times(double period, double fps, int least_keys, double about_seconds);

struct StridePlan {
    double stride = 0.0, period = 0.0, drop = 0.0;  // body units and seconds; how far the body sinks
    double trunk = 1.0;                             // how much of the gait's bobbing and bending is left
    KeyTimes keys;
};

// One foot of the gait at cycle time `t`.
struct FootPlace {
    Vec3d position;        // where the foot joint shall be
    double ahead = 0.0;    // of the body, from its home
    double in_air = -1.0;  // share of the swing done; below 0: planted
};
FootPlace foot_place(const CreatureLeg& leg, const Gait& gait, double phase, double stride, double clearance, double t);

// The phase of each leg of the body.
std::vector<double> leg_phases(const CreatureBody& body, const Gait& gait);

// Requires legs. `fps`: the fewest keys per second.
CreaturePoses legged_poses(const CreatureBody& body, const Gait& gait, double fps);

}  // namespace sinew
