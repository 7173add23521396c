// Creature stance: brings two creatures of a kind to a common stance and says how each target joint turns from there.
// Data flow: chain_match.h + both rest poses → *here* → retarget_creature.cpp, once per clip.
#pragma once

#include <sinew/motion/retarget/motion_body.h>
#include <sinew/motion/retarget/reference_stance.h>
#include <sinew/motion/retarget_creature/chain_match.h>

namespace sinew {

// Where the target stands once its chains point the way the source's do.
struct CreatureStance {
    Quatd target_from_source = Quatd::Identity();  // between the bodies' frames: left, up, forward
    double scale = 1.0;                            // of leg lengths; of body lengths where there are no legs
    bool same_build = false;                       // every matched bone is as long as the source's, scaled
    std::vector<Drive> drives;                     // parents before children, each target joint once
    WorldPose target;                              // the target in the common stance
};

// Two bodies of the same build take the same stance bone by bone. Bodies of different build keep their own stance (a
// horse's legs do not stand like a fox's), except chains that point elsewhere altogether.
CreatureStance align_creatures(const Skeleton& source, const CreatureMap& source_map, const WorldPose& source_pose,
                               const Skeleton& target, const CreatureMap& target_map, const WorldPose& target_pose,
                               const std::vector<ChainMatch>& matches);

}  // namespace sinew
