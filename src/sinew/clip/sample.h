// Sampling: a clip and a time give a pose.
// Data flow: Clip → *here* → skeleton/forward_kinematics.h.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/pose.h>

namespace sinew {

// Overwrites what the clip animates and leaves the rest of `pose` alone, so start from the rest pose. Before its first
// key and after its last, a track holds. Requires a clip that is valid for the pose (validate()). No allocation,
// O(tracks · log keys); interpolates in double and rounds once.
void sample(const Clip& clip, float time, Pose& pose);

// One track at one time into `width` floats; rotations come out unit. sample() is this over all tracks.
void sample_track(const Track& track, float time, float* out);

}  // namespace sinew
