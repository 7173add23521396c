// Retargeting: a clip of one skeleton on another.
// Data flow: Clip of a motion file → *here* → Clip of a character.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/skeleton.h>
#include <utility>
#include <vector>

namespace sinew {

struct RetargetOptions {
    std::vector<Transform> source_stance = {};          // the source's joints as its body stands; empty: its rest
    std::vector<std::pair<int32_t, int32_t>> map = {};  // (source joint, target joint); empty: by role, then by name
    float fps = 30.0f;
    bool in_place_root = false;  // keep the root where it is on the ground plane
    bool lock_feet = true;       // plant feet while the source's are planted
};

struct RetargetResult {
    Clip clip;
    int32_t mapped_joints = 0;
    float scale = 1.0f;  // target leg length / source leg length
    float foot_skate_cm_per_s = 0.0f;
    float ground_error_cm = 0.0f;
    std::vector<std::string> warnings;
};

// Transfers world-space rotations relative to a common reference stance, so that T-pose, A-pose and "whatever the
// file's rest is" all work, and scales the root's path by the ratio of leg lengths. Fails when fewer than the body's
// main joints can be matched, naming what is missing.
Result<RetargetResult> retarget(const Skeleton& source, const Clip& motion, const Skeleton& target,
                                const RetargetOptions& options = {});

}  // namespace sinew
