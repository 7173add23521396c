// TargetMotion: the retargeted motion, frame by frame, before it becomes a clip.
// Data flow: transfer.h → *here* → feet.h, toes.h → write_clip → Clip.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/motion/retarget/reference_stance.h>
#include <string>

namespace sinew {

struct TargetMotion {
    std::vector<Vec3d> hips;                   // world positions, one per frame
    std::vector<std::vector<Quatd>> rotation;  // [drive][frame], relative to the joint's parent
    // Joints besides the hips that are put somewhere, in world space.
    struct Placed {
        int32_t joint = -1;
        std::vector<Vec3d> place;  // one per frame
    };
    std::vector<Placed> placed;
};

// Puts feet and hands that do not hang on their shins and forearms (Body::loose) at the ends of those.
void place_loose_ends(const Body& target, const std::vector<Drive>& drives, TargetMotion& motion);

// The target's joints in world space in one frame; only those that carry a role are where they belong.
WorldPose target_pose_at(const Body& target, const std::vector<Drive>& drives, const TargetMotion& motion,
                         size_t frame);

// For a curve of corrections: each value becomes the largest within `radius` frames, then the curve is averaged over as
// many frames. A correction so begins early and ends late enough to be smooth, and falls short nowhere. Values ≥ 0.
std::vector<double> spread_peaks(const std::vector<double>& values, std::ptrdiff_t radius);

// A translation track for the hips and what else is placed, and one rotation track per drive.
Clip write_clip(const std::string& name, const Body& target, const std::vector<Drive>& drives,
                const std::vector<float>& times, const TargetMotion& motion);

}  // namespace sinew
