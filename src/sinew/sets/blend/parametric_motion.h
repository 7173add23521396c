// Parametric motion: walks and runs of different speed, turn and slope as one motion with three parameters [Kovar2003].
// Data flow: clips of one skeleton → cycles, found by themselves → registration curves → *here* → a clip at any speed,
// turn and slope between those of the clips.
//
//   const auto motion = ParametricMotion::create(skeleton, {stroll, walk, run, left_turn});
//   const auto clip = motion->at({.speed = 1.8f, .turn = 0.3f}, 8.0f)->clip;
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/core/result.h>
#include <sinew/skeleton/skeleton.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// How a body goes: metres a second over the ground, of a person; radians a second to the left; metres that the ground
// rises in a metre.
struct Pace {
    float speed = 1.4f, turn = 0.0f, slope = 0.0f;
};

// A cycle of a clip: it ends as it begins, some way on.
struct MotionCycle {
    std::string clip;
    float from = 0, seconds = 0;  // in the clip
    Pace pace;
};

// A moment at which a motion shall go in this way; between moments it changes evenly.
struct PaceKey {
    float time = 0;
    Pace pace;
};

struct ParametricClip {
    Clip clip;
    Pace met;                    // how the body goes, measured from end to end
    float largest_stretch = 1;   // of the steps, where no mixture of the cycles is as fast or as slow as asked for
    float foot_drift_cm = 0;     // the largest slide of a foot that stands
    std::vector<float> weights;  // of the cycles, at the beginning
};

class ParametricMotion {
public:
    // One cycle of each clip that has one; others are left out. Fails where none has.
    static Result<ParametricMotion> create(const Skeleton& skeleton, const std::vector<Clip>& clips);

    // What was found in the clips, in their order: each with its pace.
    const std::vector<MotionCycle>& cycles() const;
    // The cycles mixed so that speed, turn and slope are met: the mixture that prefers cycles near the wish. What lies
    // beyond all cycles is stretched from the nearest. Cycles are mixed moment by moment as their registration curves
    // say, so that feet agree; feet that stand stand still. The clip has whole frames at 30 a second. Slopes lie
    // between −0.6 and 0.6.
    Result<ParametricClip> at(const Pace& wish, float seconds) const;
    // The same for a wish that changes: at least one key, in order of time.
    Result<ParametricClip> at(std::span<const PaceKey> wishes, float seconds) const;

private:
    struct Data;
    std::shared_ptr<const Data> data_;
};

}  // namespace sinew
