// Plant feet: makes the feet of a retargeted character stand where and when the source's do.
// Data flow: TargetMotion + SourceContacts → *here* (foot_turns.h → toe_bend.h → joint_solve.h → leg_motion.h) →
// TargetMotion.
#pragma once

#include <sinew/motion/plant/foot_contacts.h>
#include <sinew/motion/plant/leg_motion.h>
#include <vector>

namespace sinew {

// The target's feet and the floor it stands on.
struct Footing {
    std::array<FootSkin, 2> skin;
    double floor = 0;  // height along up of the soles while the target stands
    double ankle = 0;  // height of its ankles then; the mean of both
};
// The floor is where the soles rest; a rest pose that floats (motion files put the hips at the origin) is first moved
// to stand on height 0.
Footing find_footing(const Body& target, std::span<const SkinPoint> skin);

struct PlantPlan {
    const Body& target;
    const std::vector<Drive>& drives;
    const Footing& footing;
    const SourceContacts& contacts;
    double scale = 1.0;  // target leg / source leg
    double fps = 30;
    // Per frame, by how much the body was raised off the floor, in the target's units; empty: not at all.
    std::vector<double> raised = {};
};
// Moves pelvis, legs and toes.
void plant_feet(const PlantPlan& plan, TargetMotion& motion);

struct FeetQuality {
    double skate_per_s = 0;  // mean horizontal speed of planted feet, in the target's units
    double ground_error =
        0;  // mean distance of soles that stand on the floor from it, beyond what the source lifts them
    int32_t contacts = 0;
};
// Of the frames from `first` to `last`, both included.
FeetQuality measure_feet(const PlantPlan& plan, const TargetMotion& motion, size_t first, size_t last);

}  // namespace sinew
