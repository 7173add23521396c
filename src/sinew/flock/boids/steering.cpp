#include <sinew/flock/boids/steering.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float nothing = 1e-12f;  // squared lengths below this have no direction

Vec3 unit_or(const Vec3& v, const Vec3& otherwise) {
    const float squared = v.squaredNorm();
    return squared > nothing ? Vec3(v / std::sqrt(squared)) : otherwise;
}

// Reynolds's steering: the change that makes the wanted velocity of the actual one.
Vec3 wish(const Boid& boid, const Vec3& direction, const FlockRules& rules) {
    const float squared = direction.squaredNorm();
    if (squared <= nothing) return Vec3::Zero();
    return direction * (rules.fastest / std::sqrt(squared)) - boid.velocity;
}

}  // namespace

void look_at(const Boid& boid, const Boid& other, const FlockRules& rules, float cos_half_view, Seen& seen) {
    const Vec3 to = other.position - boid.position;
    const float squared = to.squaredNorm();
    if (squared > rules.sight * rules.sight) return;
    const float distance = std::sqrt(squared);
    if (to.dot(boid.velocity) < cos_half_view * distance * boid.velocity.norm()) return;
    if (distance < rules.distance) {
        // Two in one place part along x, each by its own side.
        const Vec3 side = squared > nothing ? Vec3(to / distance) : Vec3(boid.id < other.id ? 1.0f : -1.0f, 0.0f, 0.0f);
        seen.away -= side * (1.0f - distance / rules.distance);
    }
    seen.velocity += other.velocity;
    seen.position += to;
    seen.count += 1.0f;
}

Vec3 steer_with_flock(const Boid& boid, const Seen& seen, const FlockRules& rules) {
    if (seen.count == 0.0f) return Vec3::Zero();
    const Vec3 middle = seen.position / seen.count;
    return rules.separation * rules.fastest * seen.away +
           rules.alignment * (seen.velocity / seen.count - boid.velocity) +
           rules.cohesion * middle * (rules.fastest / rules.sight);
}

Vec3 steer_to(const Boid& boid, const Vec3& place, const FlockRules& rules) {
    return wish(boid, place - boid.position, rules);
}

Vec3 nearest_of(const FlockObstacle& obstacle, const Vec3& point) {
    const Vec3 along = obstacle.b - obstacle.a;
    const float squared = along.squaredNorm();
    if (squared <= nothing) return obstacle.a;
    return obstacle.a + along * std::clamp((point - obstacle.a).dot(along) / squared, 0.0f, 1.0f);
}

Vec3 steer_past(const Boid& boid, std::span<const FlockObstacle> obstacles, const FlockRules& rules) {
    const float speed = boid.velocity.norm();
    if (speed * speed <= nothing) return Vec3::Zero();
    const Vec3 ahead = boid.velocity / speed;
    const float reach = speed * rules.look_ahead;
    float soonest = reach;
    Vec3 aside = Vec3::Zero();
    for (const FlockObstacle& obstacle : obstacles) {
        // A column is met where the boid passes it: its nearest point to that moment's place.
        const Vec3 first = nearest_of(obstacle, boid.position);
        const float passed = std::clamp((first - boid.position).dot(ahead), 0.0f, reach);
        const Vec3 middle = nearest_of(obstacle, boid.position + ahead * passed);
        const float room = obstacle.radius + rules.distance;
        const float at = (middle - boid.position).dot(ahead);
        if (at < -room || at - room > soonest) continue;
        const Vec3 off = boid.position + ahead * std::max(at, 0.0f) - middle;
        if (off.squaredNorm() > room * room) continue;
        soonest = std::max(at - room, 0.0f);
        // Head-on, any side will do: the one that its number says, so that a flock parts.
        const Vec3 across = ahead.cross(std::abs(ahead.y()) < 0.9f ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitX()));
        const Vec3 sideways = off - ahead * off.dot(ahead);
        aside = unit_or(sideways, unit_or(across, Vec3::UnitX()) * (boid.id % 2 == 0 ? 1.0f : -1.0f));
    }
    const float urgency = 1.0f - soonest / reach;
    return aside * (rules.fastest * urgency);
}

Vec3 steer_inside(const Boid& boid, const Box& bounds, const FlockRules& rules) {
    if (bounds.empty()) return Vec3::Zero();
    // Wanted as soon as the boid's way leads out of them.
    const Vec3 soon = boid.position + boid.velocity * (0.5f * rules.look_ahead);
    const Vec3 back = soon.cwiseMax(bounds.min).cwiseMin(bounds.max) - soon;
    return wish(boid, back, rules) * (back.squaredNorm() > nothing ? 1.0f : 0.0f);
}

void push_out(std::span<const FlockObstacle> obstacles, Boid& boid) {
    for (const FlockObstacle& obstacle : obstacles) {
        const Vec3 off = boid.position - nearest_of(obstacle, boid.position);
        if (off.squaredNorm() >= obstacle.radius * obstacle.radius) continue;
        const Vec3 normal = unit_or(off, Vec3::UnitX());
        // A hair outside, so that rounding does not leave it inside.
        constexpr float hair = 1e-5f;
        boid.position = nearest_of(obstacle, boid.position) + normal * (obstacle.radius * (1.0f + hair) + hair);
        boid.velocity -= normal * std::min(0.0f, boid.velocity.dot(normal));
    }
}

}  // namespace sinew
