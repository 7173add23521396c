// Building a crowd: the ways of all bodies and their gait → one character with all of them and one clip.
// Data flow: crowd_ways.h, flock/gait/gait.h → *here* → crowd_file.cpp.
#pragma once

#include <sinew/flock/gait/gait.h>
#include <sinew/pipeline/crowd/crowd_ways.h>

namespace sinew {

struct BuiltCrowd {
    Character character;
    // How planted feet moved over the ground, in metres, over all contacts.
    double drift_sum = 0.0, worst_drift = 0.0;
    size_t contacts = 0;
};

// `middle`: of a body that flies, which is put where it flies; zero for walkers, which stand on the ground.
BuiltCrowd build_crowd(const Character& one, const GroundGait& gait, const CrowdWays& ways, const Vec3& middle,
                       const CrowdOptions& options);

// The obstacles as blocks of this height, on a joint of their own.
void add_obstacles(Character& crowd, std::span<const GroundObstacle> obstacles, float height);

}  // namespace sinew
