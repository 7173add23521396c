// Feet: keeps a retargeted character's planted feet where they are, and all feet above the ground.
// Data flow: target frames + the source's plants → *here* → target frames.
#pragma once

#include <sinew/motion/retarget/contacts.h>
#include <sinew/motion/retarget/reference_stance.h>
#include <algorithm>

namespace sinew {

// The target's motion before it becomes a clip: hips in world space, one local rotation per drive.
struct TargetMotion {
    std::vector<Vec3d> hips;
    std::vector<std::vector<Quatd>> rotation;  // [drive][frame]
};

struct FeetPlan {
    std::array<std::vector<Plant>, 2> plants;
    std::array<std::vector<double>, 2> plant_height;  // of the ball over its ground level, per plant: steps, ledges
    std::array<double, 2> ankle_level = {0, 0};       // the heights of ankle and ball on a foot that stands flat
    std::array<double, 2> ball_level = {0, 0};

    // How high a foot is over the ground: by its heel or by its ball, whichever is lower.
    double clearance(size_t side, double ankle, double ball) const {
        return std::min(ankle - ankle_level[side], ball - ball_level[side]);
    }
    double fps = 30;
};

// Two-bone solves of the legs, blended in and out around each plant; lowers the pelvis where a foot is out of reach.
// The knee keeps the side it bends to.
void lock_feet(const Body& target, const std::vector<Drive>& drives, const FeetPlan& plan, TargetMotion& motion);

struct FeetQuality {
    double skate_per_s = 0;   // mean horizontal speed of planted feet, units of the target
    double ground_error = 0;  // mean distance of planted feet from their level
};
FeetQuality measure_feet(const Body& target, const std::vector<Drive>& drives, const FeetPlan& plan,
                         const TargetMotion& motion);

// The target's joints in world space in one frame.
WorldPose world_pose_at(const Body& target, const std::vector<Drive>& drives, const TargetMotion& motion, size_t frame);

}  // namespace sinew
