// Parametric motion: walks and runs of different speed and turn as one motion with two parameters [Kovar2003].
// Data flow: clips of one skeleton → cycles, found by themselves → registration curves → *here* → a clip at any speed
// and turn between those of the clips.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/core/result.h>
#include <sinew/skeleton/skeleton.h>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

// A cycle of a clip: it ends as it begins, some way on.
struct MotionCycle {
    std::string clip;
    float from = 0, seconds = 0;  // in the clip
    float speed = 0;              // metres a second, of a person
    float turn = 0;               // radians a second, to the left
};

class ParametricMotion {
public:
    // One cycle of each clip that has one; others are left out. Fails where none has.
    static Result<ParametricMotion> create(const Skeleton& skeleton, const std::vector<Clip>& clips);

    const std::vector<MotionCycle>& cycles() const;
    // The cycles mixed so that speed and turn are met: the mixture that is spread most evenly over the cycles. What
    // lies beyond all cycles is stretched from the nearest. Cycles are mixed moment by moment as their registration
    // curves say, so that feet agree; feet that stand stand still. The clip has whole frames at 30 a second.
    Result<Clip> at(float speed, float turn, float seconds) const;

private:
    struct Data;
    std::shared_ptr<const Data> data_;
};

}  // namespace sinew
