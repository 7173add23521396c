// Transfer: the source's motion on the target's joints, before feet and toes are put right.
// Data flow: SourceClip + Alignment → *here* → TargetMotion → feet.h.
#pragma once

#include <sinew/motion/retarget/source_clip.h>
#include <sinew/motion/retarget/target_motion.h>

namespace sinew {

// The two bodies' ankle heights while they stand.
struct AnkleLevels {
    double source = 0, target = 0;
};

// Each driven joint takes the source's world rotation since the reference stance. The hips follow the source's path,
// scaled by leg length; bodies of different build keep their height above the ground in proportion.
TargetMotion transfer_motion(const SourceClip& clip, const SourcePaths& paths, const Body& source, const Body& target,
                             const Alignment& alignment, const AnkleLevels& ankles);

}  // namespace sinew
