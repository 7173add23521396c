// Cycle: a motion that ends as it began, as walks and idles do. Its result must loop as well, so it is solved as a part
// of an endless motion. Data flow: SourceClip → *here* (goes on beyond its ends) → all steps → *here* (cut out) → clip.
#pragma once

#include <sinew/motion/retarget/source_clip.h>
#include <sinew/motion/retarget/target_motion.h>

namespace sinew {

// Where the last pose is the first one, moved over the ground, and the motion goes on there as smoothly as elsewhere:
// makes the clip go on before its beginning and after its end, in whole frames. Else leaves it as it is. `root` is the
// joint that carries the body.
void continue_cycle(int32_t root, const Vec3d& up, SourceClip& clip);

// Keeps the frames of the clip itself.
template <class Value>
void cut_cycle(const SourceClip& clip, std::vector<Value>& frames) {
    if (clip.cycle.frames == 0) return;
    frames.resize(clip.lead + clip.cycle.frames + 1);
    frames.erase(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(clip.lead));
}

// Spreads what the last rotation still lacks to the first one evenly over the frames. It is little: a solve over time
// hardly feels what lies seconds away.
void close_rotations(std::vector<Quatd>& frames);

// How one round carries the target's hips. Taken from a motion that nothing has changed since its transfer.
struct CycleWay {
    Quatd turn = Quatd::Identity();
    Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();  // the hips at the clip's two ends
};
CycleWay find_cycle_way(const SourceClip& clip, const Alignment& alignment, const TargetMotion& motion);

// Cuts and closes a whole motion: its rotations and the hips' path.
void cut_cycle(const SourceClip& clip, const Body& target, const std::vector<Drive>& drives, const CycleWay& way,
               TargetMotion& motion);

}  // namespace sinew
