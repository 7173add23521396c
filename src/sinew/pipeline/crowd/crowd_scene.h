// CrowdScene: where a crowd starts, what is in its way and where it goes, as a JSON file says it.
// Data flow: JSON → *here* → crowd_ways.h.
#pragma once

#include <sinew/core/result.h>
#include <sinew/flock/agents/ground.h>
#include <string_view>
#include <vector>

namespace sinew {

struct CrowdGoal {
    Vec3 at = Vec3::Zero();
    float radius = 1.0f;
    int32_t next = -1;
};

// Bodies that start in a rectangle and go to goals of their own.
struct CrowdGroup {
    Vec2 from = Vec2::Zero(), to = Vec2::Zero();
    float share = 1.0f;                     // of all bodies, relative to the other groups
    std::vector<int32_t> goals;             // each body gets one of them
    float slowest = 0.85f, fastest = 1.2f;  // times the speed of the motion
};

struct CrowdScene {
    std::vector<CrowdGoal> goals;
    std::vector<GroundObstacle> obstacles;
    std::vector<CrowdGroup> groups;
    int32_t leaders = 0, predators = 0;  // of a flock
};

// Errors say the field as a JSON path, what is wrong with it and what to give.
Result<CrowdScene> parse_crowd_scene(std::string_view json);

}  // namespace sinew
