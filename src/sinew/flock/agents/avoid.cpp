#include <sinew/flock/agents/avoid.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float parallel_sine = 1e-5f;  // lines that meet at less than this angle are parallel
constexpr float no_way = 1e-10f;        // squared: two velocities or places that are one
constexpr float broken_beyond = 1e-5f;  // metres a second by which rounding may break a plane

Vec2 along_of(const HalfPlane& plane) {
    return {plane.normal.y(), -plane.normal.x()};
}

float outside_by(const HalfPlane& plane, const Vec2& v) {
    return plane.normal.dot(plane.point - v);
}

// What the program looks for: the velocity nearest to `aim`, or the one farthest in the direction `aim`.
struct Aim {
    Vec2 aim;
    bool direction = false;
    float fastest = 0.0f;
};

// The best on the border line of planes[k] within the disc and the planes before it. False: there is none.
bool best_on_border(std::span<const HalfPlane> planes, size_t k, const Aim& aim, Vec2& best) {
    const Vec2 along = along_of(planes[k]), &point = planes[k].point;
    const float middle = point.dot(along);
    const float room = middle * middle + aim.fastest * aim.fastest - point.squaredNorm();
    if (room < 0.0f) return false;
    float low = -middle - std::sqrt(room), high = -middle + std::sqrt(room);
    for (size_t i = 0; i < k; ++i) {
        const float rate = planes[i].normal.dot(along);
        const float missing = outside_by(planes[i], point);
        if (std::abs(rate) < parallel_sine) {
            if (missing > broken_beyond) return false;
            continue;
        }
        if (rate > 0.0f)
            low = std::max(low, missing / rate);
        else
            high = std::min(high, missing / rate);
        if (low > high) return false;
    }
    const float wanted = aim.direction ? (aim.aim.dot(along) > 0.0f ? high : low) : (aim.aim - point).dot(along);
    best = point + along * std::clamp(wanted, low, high);
    return true;
}

// The number of the first plane that cannot be kept, or planes.size().
size_t best_of_all(std::span<const HalfPlane> planes, const Aim& aim, Vec2& best) {
    const float length = aim.aim.norm();
    const bool scaled = aim.direction || length > aim.fastest;
    best = scaled && length > 0.0f ? Vec2(aim.aim * (aim.fastest / length)) : aim.aim;
    for (size_t k = 0; k < planes.size(); ++k) {
        if (outside_by(planes[k], best) <= broken_beyond) continue;
        const Vec2 before = best;
        if (!best_on_border(planes, k, aim, best)) {
            best = before;
            return k;
        }
    }
    return planes.size();
}

// Breaks the worst plane as little as can be: the same program one dimension up, plane by plane.
void break_least(std::span<const HalfPlane> planes, size_t hard, size_t from, float fastest,
                 std::span<HalfPlane> scratch, Vec2& best) {
    float broken = 0.0f;
    for (size_t k = std::max(from, hard); k < planes.size(); ++k) {
        if (outside_by(planes[k], best) <= broken + broken_beyond) continue;
        std::copy_n(planes.begin(), hard, scratch.begin());
        size_t count = hard;
        for (size_t i = hard; i < k; ++i) {
            // Where planes i and k are broken alike.
            const Vec2 difference = planes[i].normal - planes[k].normal;
            if (difference.squaredNorm() <= no_way) continue;
            const float length = difference.norm();
            const float offset = planes[i].normal.dot(planes[i].point) - planes[k].normal.dot(planes[k].point);
            scratch[count++] = {difference * (offset / (length * length)), difference / length};
        }
        const Vec2 before = best;
        if (best_of_all(scratch.first(count), {planes[k].normal, true, fastest}, best) < count) best = before;
        broken = std::max(broken, outside_by(planes[k], best));
    }
}

}  // namespace

HalfPlane avoid_each_other(const MovingDisc& self, const MovingDisc& other, float horizon, float step) {
    const Vec2 apart = other.position - self.position, closing = self.velocity - other.velocity;
    const float together = self.radius + other.radius, squared = apart.squaredNorm();
    const bool overlap = squared < together * together;
    // Velocities that meet within the time: a cone whose tip is a disc.
    const float time = overlap ? step : horizon;
    const Vec2 from_tip = closing - apart / time;
    const float dot = from_tip.dot(apart);
    Vec2 normal, change;
    if (overlap || (dot < 0.0f && dot * dot > together * together * from_tip.squaredNorm())) {
        const float length = from_tip.norm();
        normal = length * length > no_way ? Vec2(from_tip / length) : Vec2(Vec2::UnitX());
        change = normal * (together / time - length);
    } else {
        // The nearer of the two sides of the cone.
        const float leg = std::sqrt(std::max(0.0f, squared - together * together));
        const float side = apart.x() * from_tip.y() - apart.y() * from_tip.x() > 0.0f ? 1.0f : -1.0f;
        const Vec2 along =
            Vec2(apart.x() * leg - side * apart.y() * together, side * apart.x() * together + apart.y() * leg) /
            squared;
        normal = side * Vec2(-along.y(), along.x());
        change = along * closing.dot(along) - closing;
    }
    return {self.velocity + 0.5f * change, normal};
}

Vec2 choose_velocity(std::span<const HalfPlane> planes, size_t hard, const Vec2& wanted, float fastest,
                     std::span<HalfPlane> scratch) {
    Vec2 best;
    const size_t failed = best_of_all(planes, {wanted, false, fastest}, best);
    if (failed < planes.size()) break_least(planes, hard, failed, fastest, scratch, best);
    return best;
}

}  // namespace sinew
