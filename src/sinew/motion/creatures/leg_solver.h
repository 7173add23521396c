// Leg solver: a leg of two or more bones reaches for a place on the ground and keeps bending the way it bends at rest.
// Data flow: CreatureLeg + where its socket and foot shall be → *here* → how each bone turns.
//
// The bones turn about one axis across the leg. One number, the fold, scales all bends of the resting leg: 0 is the
// straight leg, 1 the leg at rest, more folds it further. No bend ever changes its side, so that knees, elbows and
// hocks cannot flip, and the shape is a smooth function of the distance to reach. [The two-bone solver is the case of
// one bend.]
#pragma once

#include <sinew/motion/creatures/creature_pose.h>
#include <vector>

namespace sinew {

struct LegShape {
    std::vector<Vec3d> bones;   // socket → foot at rest, body space
    std::vector<double> rest;   // rest[i]: the turn about `hinge` from bones[i] to bones[i + 1]
    std::vector<double> bends;  // what the fold scales: `rest`, or a knee or an elbow where the leg rests straight
    std::vector<double> flex;   // how much each bend takes of a flexed lower leg, 0…1: carpus and fetlock
    Vec3d hinge = Vec3d::UnitX();
    double longest = 0.0, shortest = 0.0;  // distances from socket to foot that it can reach
};
LegShape leg_shape(const CreatureBody& body, const CreatureLeg& leg);

// Turns the leg's joints from the socket to the one before the foot (CreaturePose::turn_to), so that the foot is at
// `target` with the socket at `socket`. `flexed` bends the lower leg backwards by so many radians besides, as an
// animal does while the foot is in the air. Returns how far the foot is from its target: 0 within reach.
double solve_leg(const CreatureLeg& leg, const LegShape& shape, const Vec3d& socket, const Vec3d& target, double flexed,
                 CreaturePose& pose);

}  // namespace sinew
