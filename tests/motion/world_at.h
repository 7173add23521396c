// What tests of motion ask of a clip. Data flow: Skeleton, Clip → *here* → tests.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/skeleton.h>
#include <vector>

namespace sinew::test {

// The joints' matrices at a time of the clip.
inline std::vector<AffineD> world_at(const Skeleton& skeleton, const Clip& clip, float time) {
    Pose pose{skeleton.rest(), {}};
    sample(clip, time, pose);
    std::vector<AffineD> world(skeleton.size());
    local_to_world(skeleton.parents(), pose.local, world);
    return world;
}

}  // namespace sinew::test
