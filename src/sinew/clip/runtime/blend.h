// Blending poses: layers with masks and additive layers in one pass; switches without a pop; cycles kept in step.
// Data flow: sample() → Pose → *here* → skeleton/pose.h.
#pragma once

#include <sinew/skeleton/pose.h>
#include <span>
#include <vector>

namespace sinew {

struct BlendLayer {
    const Pose* pose = nullptr;
    float weight = 1.0f;
    std::span<const float> mask;  // per joint, times the weight; empty: 1 everywhere
    // Added to what the other layers give, as much as the weight says: `pose` is a difference (pose_difference()).
    bool additive = false;
};

// Layers that are not additive are mixed by their weights relative to their sum; a joint for which all are 0 takes
// `rest`. Rotations are mixed by normalised sums, on the side of the first that counts. A single layer that counts
// comes out to the last bit. All poses have the sizes of `rest`; `out` may be none of them. Morph weights ignore masks.
// No allocation if `out` has its sizes.
void blend_poses(std::span<const BlendLayer> layers, const Pose& rest, Pose& out);

// What an additive layer holds: how `pose` differs from `reference`, so that adding it to the reference gives the pose.
Pose pose_difference(const Pose& pose, const Pose& reference);

// Inertialisation [Bollo2018]: at a switch, what is left of the old motion (how far its pose and speed are from the new
// one's) dies away by a critically damped spring. The result is continuous in value and speed.
class Inertialization {
public:
    // `before` and `shown` are the last two poses that were shown, `seconds` apart; `next_before` and `next` are those
    // of the new motion at the same moments.
    void start(const Pose& before, const Pose& shown, const Pose& next_before, const Pose& next, float seconds);
    // `pose` is the new motion's, `since` seconds after the switch; after about twice `fade` nothing is left.
    void apply(float since, float fade, Pose& pose) const;

private:
    struct Offset {
        Vec3 turn, turn_speed, move, move_speed, size, size_speed;  // turns as axis times angle
    };
    std::vector<Offset> offsets_;
};

// Dead blending [Holden2023]: the old motion is carried on as it was going, slower and slower, and faded into the new.
class DeadBlend {
public:
    // As Inertialization::start(), without the new motion.
    void start(const Pose& before, const Pose& shown, float seconds);
    void apply(float since, float fade, Pose& pose) const;

private:
    struct Carried {
        Transform at;
        Vec3 turn_speed, move_speed;
    };
    std::vector<Carried> carried_;
};

// A cycle with marks: the times at which its phase is 0, 1/n, 2/n, … (feet that touch the ground, say); it ends where
// it begins. Cycles with as many marks keep step when they are sampled at one phase.
struct SyncedCycle {
    float start = 0.0f, end = 1.0f;  // seconds
    std::vector<float> marks;        // increasing, within the cycle
};
// The time of a phase; 0 to 1 is one cycle, and others repeat.
float time_at_phase(const SyncedCycle& cycle, float phase);
// How much the phase grows in `seconds` when the cycles are mixed by these weights: the mixed cycle lasts as long as
// the weighted mean of the cycles.
float phase_step(std::span<const SyncedCycle> cycles, std::span<const float> weights, float seconds);

}  // namespace sinew
