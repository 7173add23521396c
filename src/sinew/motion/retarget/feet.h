// Feet: keeps planted feet of a retargeted character where they stand, and all feet above the ground.
// Data flow: target frames + the source's plants → *here* → target frames → toes.h.
#pragma once

#include <sinew/motion/retarget/contacts.h>
#include <sinew/motion/retarget/target_motion.h>
#include <algorithm>

namespace sinew {

struct FeetPlan {
    double fps = 30;
    std::array<std::vector<Plant>, 2> plants;         // when each foot stands; side 0 is left
    std::array<std::vector<double>, 2> plant_height;  // per plant: height of the ball above its level (steps, ledges)
    std::array<double, 2> ankle_level = {0, 0};       // heights of ankle and ball while the foot stands flat
    std::array<double, 2> ball_level = {0, 0};

    // How high a foot is above the ground: the lower of its heel and its ball.
    double clearance(size_t side, double ankle, double ball) const {
        return std::min(ankle - ankle_level[side], ball - ball_level[side]);
    }
};

// Sets the levels: the heights of ankles and balls in the target's reference pose. A pose that floats (motion files put
// the hips at the origin) is first moved to stand on height 0.
void find_target_levels(const Body& target, FeetPlan& plan);

// Moves the feet with the two-bone solver of ik/, blends in and out around each plant, and lowers the pelvis where a
// foot is out of reach. Knees keep bending to the side they bend to.
void lock_feet(const Body& target, const std::vector<Drive>& drives, const FeetPlan& plan, TargetMotion& motion);

struct FeetQuality {
    double skate_per_s = 0;   // mean horizontal speed of planted feet, in the target's units
    double ground_error = 0;  // mean distance of planted feet from their level
};
FeetQuality measure_feet(const Body& target, const std::vector<Drive>& drives, const FeetPlan& plan,
                         const TargetMotion& motion);

}  // namespace sinew
