// Two-bone inverse kinematics: a limb of two bones (thigh and shin, upper arm and forearm) reaches for a target.
// Data flow: a limb's joint positions, a target, a pole → *here* → the joints' new positions and how the bones turn.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>

namespace sinew {

// Two bones in a row: hip, knee, ankle, or shoulder, elbow, wrist. Everything here is in one space of the caller's
// choice, usually world space.
struct TwoBoneLimb {
    Vec3d root, mid, tip;
};

struct TwoBoneGoal {
    Vec3d target;  // where the tip should be

    // The side to which the mid joint bends: forwards for a knee, backwards for an elbow. It is a direction, not a
    // point; its length does not matter, and only its part across the line from root to target counts. Where that part
    // is (nearly) zero the limb keeps bending the way it does now, and a straight limb bends to an arbitrary side.
    Vec3d pole = Vec3d::Zero();
};

// In the plane through root, target and pole there are two solutions, mirror images of each other.
enum class TwoBoneBend : uint8_t { towards_pole, away_from_pole };

// All numbers are shares of the limb's length, which is the sum of the two bones'.
struct TwoBoneOptions {
    TwoBoneBend bend = TwoBoneBend::towards_pole;

    // The tip stays at most `straightest` lengths from the root, and at least `tightest` lengths further from it than
    // in the folded limb. Values a little inside of 1 and 0 keep the mid joint from losing its side.
    double straightest = 1.0;  // (0, 1]
    double tightest = 0.0;     // [0, 1)

    // Softens the approach to the straight limb: within the last `softness` lengths the tip lags behind its target and
    // comes to `straightest` only in the limit, so that the mid joint does not snap when the target leaves the reach.
    double softness = 0.0;  // [0, 1)

    // Turns the limb's plane on from the pole's side, about the line from root to target by the right-hand rule;
    // radians.
    double twist = 0.0;
};

constexpr double two_bone_reached_within = 1e-6;  // of the limb's length

struct TwoBoneSolution {
    TwoBoneLimb limb;  // the root is where it was; each bone is as long as it was

    // World rotations to put in front of the bones' own: upper bone first, then
    //     new_upper = upper_turn * old_upper,   new_lower = lower_turn * upper_turn * old_lower.
    // Each is the shortest that does it, so neither twists its bone more than it must.
    Quatd upper_turn, lower_turn;

    // The unit axis the limb bends about, across its plane: turning the lower bone about it, by the right-hand rule,
    // bends the limb further. Defined for a straight limb too.
    Vec3d hinge;

    double error = 0.0;    // distance from the tip to the target
    bool reached = false;  // error ≤ two_bone_reached_within of the limb's length
};

// The law of cosines gives the triangle root–mid–tip, the pole the plane it lies in. A target out of reach, too near or
// too far, gets the nearest tip within reach; `reached` and `error` tell. A target at the root is approached along the
// limb's present direction.
//
// Bone lengths are kept to rounding, also where they are zero. Finite input never gives NaN. A target that is not
// finite leaves the limb as it is, with an infinite error. No allocation; constant time.
TwoBoneSolution solve_two_bone(const TwoBoneLimb& limb, const TwoBoneGoal& goal, const TwoBoneOptions& options = {});

// The same for many limbs, several at a time: solutions[i] is what solve_two_bone gives for limbs[i] and goals[i], to
// rounding. Requires equal sizes. No allocation.
void solve_two_bones(std::span<const TwoBoneLimb> limbs, std::span<const TwoBoneGoal> goals,
                     const TwoBoneOptions& options, std::span<TwoBoneSolution> solutions);

}  // namespace sinew
