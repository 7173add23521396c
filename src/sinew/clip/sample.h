// Sampling: a clip and a time give a pose.
// Data flow: Clip → *here* → skeleton/forward_kinematics.h.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/pose.h>

namespace sinew {

// Overwrites in `pose` what the clip animates and leaves the rest alone: start from the rest pose. Before the first key
// and after the last the track holds. The clip is valid for the pose (validate()). No allocation;
// O(tracks) where tracks share their times, as they mostly do, else O(tracks · log keys). Interpolates in double and
// rounds once.
void sample(const Clip& clip, float time, Pose& pose);

// One track at one time into `width` floats; rotations come out unit. sample() is this over all tracks.
void sample_track(const Track& track, float time, float* out);

}  // namespace sinew
