// Mirrored motions: left and right swapped. Data flow: a motion's skeleton and clip → *here* → retarget.cpp.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/motion/mapping/moving_body.h>
#include <sinew/skeleton/skeleton.h>
#include <vector>

namespace sinew {

struct MirroredMotion {
    Skeleton skeleton;  // reflected at the body's middle; the joints of a pair have each other's names
    Clip clip;
    std::vector<Transform> stance;  // empty where none was given
    HumanoidMap roles;              // left and right swapped
    std::vector<int32_t> partner;   // the joint on the other side; itself on the middle and where there is none
};

// The reflection is exact: each joint's world position and rotation is the mirror image of what it was. A skeleton
// whose joints are pairs neither by name nor by role nor by shape keeps its names.
// `body`: what see_moving_body() made of the motion. `stance` comes before the one it found; may be empty.
Result<MirroredMotion> mirror_motion(const Skeleton& skeleton, const Clip& clip, const MovingBody& body,
                                     const std::vector<Transform>& stance);

}  // namespace sinew
