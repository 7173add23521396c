// Moving body: which joint of a motion plays which role, and in which pose its body stands, seen over the whole clip.
// Data flow: Skeleton + Clip of a motion → *here* → retarget.cpp, mirror_motion.h, pipeline/info.cpp.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/humanoid.h>
#include <optional>
#include <vector>

namespace sinew {

struct MovingBody {
    HumanoidMap map;  // not is_body() where it is no person
    // Where the file's rest pose is no neutral stance: the moment of the clip that is measured from instead, and that
    // moment as a pose: trunk upright, facing ahead, over the origin. So the motion keeps its way in the world.
    std::optional<float> reference_time = {};
    std::vector<Transform> stance = {};
};

// Names and a rest pose that stands are believed. Otherwise the whole clip tells: recognise_humanoid() of its moments.
// The clip is valid for the skeleton.
MovingBody see_moving_body(const Skeleton& skeleton, const Clip& clip);

}  // namespace sinew
