// Ground: what walkers must not walk through, seen from above. Data flow: a scene → *here* → walkers.h.
#pragma once

#include <sinew/math/types.h>
#include <span>
#include <vector>

namespace sinew {

// A convex polygon seen from above (x, z), its corners in either turn; thicker by `radius` all round. One corner is a
// disc, two are a wall.
struct GroundObstacle {
    std::vector<Vec2> corners;
    float radius = 0.0f;
};

// How far a point is outside an obstacle, negative inside, and the unit direction that leads out of it there.
struct ObstacleDistance {
    float distance = INFINITY;
    Vec2 outwards = Vec2::UnitX();
};
ObstacleDistance distance_to(const GroundObstacle& obstacle, const Vec2& point);

// Whether a disc of this radius can go straight from a to b.
bool free_between(std::span<const GroundObstacle> obstacles, const Vec2& a, const Vec2& b, float radius);

}  // namespace sinew
