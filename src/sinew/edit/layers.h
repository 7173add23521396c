// Layers: poses and clips mixed, by weight and by joint. Data flow: two clips of one body → *here* → Clip.
#pragma once

#include <sinew/edit/frames.h>

namespace sinew {

// A pose between two, per joint: rotations by slerp on the shorter way, the rest by straight lines. Weight 0 is `a` and
// 1 is `b`, exactly. The mask scales the weight; morphs follow the weight alone.
void blend_poses(const Pose& a, const Pose& b, double weight, const JointMask& mask, Pose& out);

// Adds what `layer` does beyond `reference`: rotations by multiplication, the rest by sums (scale by ratio). Weight 0
// is `base`.
void add_to_pose(const Pose& base, const Pose& layer, const Pose& reference, double weight, const JointMask& mask,
                 Pose& out);

// Both at once. `other` is stretched to the length of `clip`, so that cycles of different lengths stay in step. Events
// and numbers are those of the clip that has more weight; under a mask, those of `clip`.
Clip blend_clips(const Clip& clip, const Clip& other, const ClipBody& body, double weight, const JointMask& mask = {});

// Secondary action: `layer` on top of the clip, as it differs from its own first frame; repeated while the clip lasts.
Clip add_layer(const Clip& clip, const Clip& layer, const ClipBody& body, double weight, const JointMask& mask = {});

}  // namespace sinew
