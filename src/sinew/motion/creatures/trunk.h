// Trunk: back, neck, head, tail and arms of a creature, which follow what its legs do.
// Data flow: TrunkTurns of a motion → *here* → CreaturePose.
#pragma once

#include <sinew/motion/creatures/creature_pose.h>

namespace sinew {

// How pelvis and shoulders are turned; the back between them goes from one to the other.
struct TrunkTurns {
    Vec3d hind = Vec3d::Zero(), front = Vec3d::Zero();  // pitch, yaw, roll, radians
    double head_steady = 0.8;                           // how much of the shoulders' turn the neck takes back
    Vec3d neck = Vec3d::Zero(), head = Vec3d::Zero();   // pitch, yaw, roll besides
};
void pose_trunk(const CreatureBody& body, const TrunkTurns& turns, CreaturePose& pose);

// A wave that runs down the tail: the sums of its bends, sideways and up and down, in radians; it lags by `lag` of a
// cycle from root to tip.
struct TailWave {
    double side = 0.0, lift = 0.0, lag = 0.4;
    double droop = 0.0;  // bent down all along
};
void pose_tail(const CreatureBody& body, const TailWave& wave, double side_phase, double lift_phase,
               CreaturePose& pose);

// Arms held out at rest hang down; they swing by these angles, left and right, forwards positive.
void pose_arms(const CreatureBody& body, double left, double right, CreaturePose& pose);

}  // namespace sinew
