#include <sinew/flock/agents/ground.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float no_length = 1e-12f;  // squared

float cross2(const Vec2& a, const Vec2& b) {
    return a.x() * b.y() - a.y() * b.x();
}

Vec2 nearest_on(const Vec2& a, const Vec2& b, const Vec2& point) {
    const Vec2 along = b - a;
    const float squared = along.squaredNorm();
    if (squared <= no_length) return a;
    return a + along * std::clamp((point - a).dot(along) / squared, 0.0f, 1.0f);
}

bool is_inside(std::span<const Vec2> corners, const Vec2& point) {
    if (corners.size() < 3) return false;
    bool left = true, right = true;
    for (size_t i = 0; i < corners.size(); ++i) {
        const Vec2& a = corners[i];
        const float side = cross2(corners[(i + 1) % corners.size()] - a, point - a);
        left = left && side >= 0.0f, right = right && side <= 0.0f;
    }
    return left || right;
}

}  // namespace

ObstacleDistance distance_to(const GroundObstacle& obstacle, const Vec2& point) {
    const std::vector<Vec2>& corners = obstacle.corners;
    if (corners.empty()) return {};
    Vec2 nearest = corners[0], edge = Vec2::UnitX();
    float best = INFINITY;
    for (size_t i = 0; i < corners.size(); ++i) {
        const Vec2 &a = corners[i], &b = corners[(i + 1) % corners.size()];
        const Vec2 candidate = nearest_on(a, b, point);
        const float squared = (point - candidate).squaredNorm();
        if (squared < best) best = squared, nearest = candidate, edge = b - a;
    }
    const bool inside = is_inside(corners, point);
    const float distance = std::sqrt(best);
    // On an edge the way out is across it.
    Vec2 across(edge.y(), -edge.x());
    if (across.squaredNorm() <= no_length) across = Vec2::UnitX();
    Vec2 outwards = distance * distance > no_length ? Vec2((point - nearest) / distance) : Vec2(across.normalized());
    if (inside) outwards = -outwards;
    return {(inside ? -distance : distance) - obstacle.radius, outwards};
}

bool free_between(std::span<const GroundObstacle> obstacles, const Vec2& a, const Vec2& b, float radius) {
    // Goes along by as much as is free: a handful of steps for obstacles that are not grazed.
    const float length = (b - a).norm();
    const Vec2 direction = length > 0.0f ? Vec2((b - a) / length) : Vec2(Vec2::Zero());
    constexpr float shortest_step = 0.02f;  // metres
    for (const GroundObstacle& obstacle : obstacles)
        for (float gone = 0.0f; gone <= length;) {
            const float room = distance_to(obstacle, a + direction * gone).distance - radius;
            if (room < 0.0f) return false;
            gone += std::max(room, shortest_step);
        }
    return true;
}

}  // namespace sinew
