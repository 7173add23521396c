// Arm goals: where the wrists of the target must be for its hands to touch what the source's touch.
// Data flow: Touches of the source + both bodies → *here* → arm_solve.h.
#pragma once

#include <sinew/motion/touch/arm_path.h>

namespace sinew {

struct TouchScene {
    const BodyMotion& source;
    const BodyMotion& target;
    Quatd target_from_source;
    double scale = 1;  // target leg / source leg
    double fps = 30;
    bool loops = false;
};

// Pulls a wrist to `place` with `weight`, 0 to 1: all of it along the unit vector `out`, a share of it across.
struct WristGoal {
    double weight = 0, across = 1;
    Vec3d place = Vec3d::Zero(), out = Vec3d::UnitY();
};

// Turns the hands of `arms` so that they lie on what they touch: by as much as the target's skin there slopes
// differently from the source's.
void lay_hands(const TouchScene& scene, const std::vector<Touch>& touches, std::array<ArmPath, 2>& arms);

// Sets the goals of one touch in the frames [first, end): for the arm of touch.side, or for `side` where the hands
// touch each other. They depend on where the other arm is now if that is what is touched.
void set_wrist_goals(const TouchScene& scene, const Touch& touch, size_t side, const std::array<ArmPath, 2>& arms,
                     size_t first, size_t end, std::vector<WristGoal>& goals);

}  // namespace sinew
