// Steering: what one boid wants, rule by rule. Data flow: a boid and what it sees → *here* → its acceleration.
#pragma once

#include <sinew/flock/boids/flock.h>

namespace sinew {

// What is summed over the neighbours that a boid sees.
struct Seen {
    Vec3 away = Vec3::Zero();  // from those that are too near, more the nearer they are
    Vec3 velocity = Vec3::Zero(), position = Vec3::Zero();
    float count = 0.0f;
};

// Adds a neighbour if it is within sight and not behind the boid's back. `cos_half_view`: of half the field of view.
void look_at(const Boid& boid, const Boid& other, const FlockRules& rules, float cos_half_view, Seen& seen);

// Followers: separation, alignment, cohesion.
Vec3 steer_with_flock(const Boid& boid, const Seen& seen, const FlockRules& rules);
// Towards a place, at full speed.
Vec3 steer_to(const Boid& boid, const Vec3& place, const FlockRules& rules);
// Sideways past whatever of the obstacles is in the way soonest.
Vec3 steer_past(const Boid& boid, std::span<const FlockObstacle> obstacles, const FlockRules& rules);
// Back into the bounds.
Vec3 steer_inside(const Boid& boid, const Box& bounds, const FlockRules& rules);

// The nearest point of an obstacle's segment.
Vec3 nearest_of(const FlockObstacle& obstacle, const Vec3& point);
// Puts a boid that got into an obstacle back onto its surface, and takes away its speed into it.
void push_out(std::span<const FlockObstacle> obstacles, Boid& boid);

}  // namespace sinew
