// Clip frames: a clip as a pose per frame, the form in which most edits are one loop. Data flow: Clip → *here* → an
// edit → Clip.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skeleton/skeleton.h>
#include <vector>

namespace sinew {

// What a clip moves: joints in their tree, and the pose in which they stand when nothing moves them.
struct ClipBody {
    Skeleton skeleton;
    Pose rest;
};
// Without morphs.
ClipBody make_clip_body(const Skeleton& skeleton);

// Frames at even times from 0 to the clip's end; the last interval may be shorter.
struct ClipFrames {
    std::vector<float> times;
    std::vector<Pose> poses;
};

// Keys per second: of the track with most keys, as its median interval says. 30 for clips without two keys; 1 to 1000.
double clip_rate(const Clip& clip);

ClipFrames sample_frames(const Clip& clip, const ClipBody& body, double fps);

// Linear keys of what `like` animates and of what differs from it at rest; what never changes has one key. Of q and −q
// the one nearer to the last key is written. Name, source, events and numbers are those of `like`.
Clip frames_to_clip(const ClipFrames& frames, const ClipBody& body, const Clip& like);

// A weight per joint, 0 to 1: where an edit works, and how much. Empty: everywhere.
using JointMask = std::vector<float>;
inline float mask_weight(const JointMask& mask, size_t joint) {
    return mask.empty() ? 1.0f : mask[joint];
}

// The joint whose translation carries the body: of those that a translation track moves the one with most joints below
// it, else the first that is animated at all, else 0.
int32_t find_carrier(const Clip& clip, const ClipBody& body);
// The carrier, and behind it what travels beside it with keys of its own: a skirt, a sword, a face that does not hang on
// it in the tree.
std::vector<int32_t> find_carriers(const Clip& clip, const ClipBody& body);

}  // namespace sinew
