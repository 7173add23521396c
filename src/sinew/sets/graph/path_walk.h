// Path walk: a way through a motion graph that follows a path on the ground.
// Data flow: MotionGraph + clips + a path → *here* (search, blends, planted feet) → Clip.
#pragma once

#include <sinew/math/types.h>
#include <sinew/sets/graph/motion_graph.h>

namespace sinew {

// Points on the ground, x and z in metres, joined by straight lines; at least two that differ.
struct GroundPath {
    std::vector<Vec2> points;
    bool closed = false;  // the last point leads back to the first; the walk goes round
};
// Two circles of this radius that touch, walked as an eight.
GroundPath figure_eight(float radius);

struct PathWalk {
    Clip clip;
    std::vector<float> off_path;                          // metres, per frame
    std::vector<std::pair<float, GraphTransition>> used;  // and when, in seconds
    float worst_off_path = 0;
    float travelled = 0;     // metres along the path
    float toe_drift_cm = 0;  // the largest slide of a planted foot
};

// A clip of this many seconds, or as long as an open path lasts. Each frame takes the step of its clip and turns a
// little towards the path; which transitions to take is a beam search for the least distance from it. Feet that stand
// in the clips stand still in the result. `graph` was built from these clips. Fails on a path without length, and where
// the graph has no transitions and its clips end too soon.
Result<PathWalk> walk_path(const Skeleton& skeleton, const std::vector<Clip>& clips, const MotionGraph& graph,
                           const GroundPath& path, double seconds);

}  // namespace sinew
