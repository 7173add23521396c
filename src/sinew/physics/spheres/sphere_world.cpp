#include <sinew/physics/spheres/sphere_world.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A sphere that goes farther than this share of the smallest radius in one move is fast.
constexpr double slow_share = 0.25;
// Up to here the first meeting of each fast sphere is looked for; with more of them, all moves are made short.
constexpr size_t most_fast = 64;
// Moves within one small step, at most: beyond, time is lost.
constexpr int most_moves = 512;
// A fast sphere that touches already moves on by this share of what is slow.
constexpr double least_advance = 0.5;
// Twelve equal spheres fit around one, which makes six pairs a sphere, and some more are near. Room for them is made
// before the first step; only mixes of small and large spheres, which touch more, ask for more later.
constexpr size_t pairs_per_sphere = 8;

// When two points that approach each other at this velocity are `distance` apart; infinite if never.
double meeting_time(const Vec3d& between, const Vec3d& velocity, double distance) {
    const double c = between.squaredNorm() - distance * distance, b = between.dot(velocity), a = velocity.squaredNorm();
    if (b >= 0.0) return INFINITY;
    if (c <= 0.0) return 0.0;
    const double inside = b * b - a * c;
    return inside < 0.0 ? INFINITY : c / (-b + std::sqrt(inside));
}

// By advancing as far as the distance allows, again and again.
double meeting_time(const Collider& collider, const Sphere& sphere, double seconds) {
    double t = 0.0;
    for (int i = 0; i < most_moves && t < seconds; ++i) {
        const Collider now = moved(collider, t);
        const ColliderContact at = touch(now, sphere.position + t * sphere.velocity);
        const double gap = at.distance - sphere.radius;
        const Vec3d relative = sphere.velocity - at.velocity;
        if (gap <= 1e-6 * sphere.radius) return relative.dot(at.normal) < 0.0 ? t : INFINITY;
        const double speed = relative.norm();
        if (collider.shape == ColliderShape::plane) {
            const double closing = -relative.dot(at.normal);
            return closing > 0.0 ? t + gap / closing : INFINITY;
        }
        if (!(speed > 0.0)) return INFINITY;
        t += gap / speed;
    }
    return t < seconds ? t : INFINITY;
}

}  // namespace

void SphereWorld::prepare() {
    before_.resize(spheres.size());
    calm_.resize(spheres.size(), 0.0);
    asleep_.resize(spheres.size(), 0);
    struck_.resize(spheres.size(), 0);
    energy_before_.resize(strings.size());
    const size_t pairs = pairs_per_sphere * spheres.size();
    contacts_.reserve(pairs), last_contacts_.reserve(pairs);
    upwards_.reserve(pairs), layer_first_.reserve(pairs + 3);
    if (sleep) sleeping_loads_.reserve(pairs), last_loads_.reserve(pairs);
    largest_radius_ = 0.0, least_radius_ = INFINITY;
    for (const Sphere& s : spheres) {
        largest_radius_ = std::max(largest_radius_, s.radius);
        least_radius_ = std::min(least_radius_, s.radius);
    }
}

SphereStepReport SphereWorld::step(double seconds) {
    SphereStepReport report;
    if (spheres.empty()) {
        for (Collider& c : colliders) c = moved(c, seconds);
        return report;
    }
    prepare();
    for (int i = 0; i < substeps; ++i) {
        double left = seconds / substeps;
        int moves = 0;
        for (; left > 0.0 && moves < most_moves; ++moves) left -= advance(left);
        report.moves += moves;
        report.lost_seconds += std::max(left, 0.0);
    }
    for (const SphereContact& c : contacts_) report.worst_overlap = std::max(report.worst_overlap, -c.gap);
    return report;
}

// One move of at most `seconds`; returns how long it was.
double SphereWorld::advance(double seconds) {
    grid_.build([this](size_t i) { return spheres[i].position; }, spheres.size(),
                2.0 * largest_radius_ + 2.0 * slow_share * least_radius_);
    const double taken = time_to_contact(seconds);
    find_contacts(taken);
    wake_touched();
    keep_impulses(taken);
    collide(taken);
    share_load(taken);
    move(taken);
    push_apart();
    rest(taken);
    return taken < seconds ? taken : seconds;
}

// How long all may move until the first fast sphere meets something.
double SphereWorld::time_to_contact(double seconds) {
    const double slow = slow_share * least_radius_;
    fast_.clear();
    double fastest = 0.0;
    for (uint32_t i = 0; i < spheres.size(); ++i) {
        const double speed = spheres[i].velocity.norm() + 0.5 * seconds * gravity.norm();
        if (asleep_[i] || speed * seconds <= slow) continue;
        fast_.push_back(i);
        fastest = std::max(fastest, speed);
    }
    if (fast_.empty()) return seconds;
    const double shortest = least_advance * slow / fastest;
    if (fast_.size() > most_fast) return std::min(seconds, slow / fastest);
    double first = seconds;
    const auto meet = [&](uint32_t i, uint32_t j) {
        const Sphere &a = spheres[i], &b = spheres[j];
        if (i != j)
            first =
                std::min(first, meeting_time(a.position - b.position, a.velocity - b.velocity, a.radius + b.radius));
    };
    for (const uint32_t i : fast_) {
        const Sphere& s = spheres[i];
        for (const uint32_t j : fast_) meet(i, j);
        for (const Collider& c : colliders) first = std::min(first, meeting_time(c, s, first));
        // Those that are not fast stay within a cell of where they are: look along the way in pieces of a cell.
        const double cell = grid_.cell_size(), length = s.velocity.norm() * first;
        const Vec3d margin = Vec3d::Constant(s.radius + largest_radius_ + slow);
        const int pieces = static_cast<int>(std::min(length / cell, 1e5)) + 1;
        for (int p = 0; p < pieces && s.velocity.norm() * first * pieces >= p * length; ++p) {
            const Vec3d from = s.position + (first * p / pieces) * s.velocity,
                        to = s.position + (first * (p + 1) / pieces) * s.velocity;
            grid_.inside(from.cwiseMin(to) - margin, from.cwiseMax(to) + margin, [&](uint32_t j) { meet(i, j); });
        }
    }
    return std::clamp(first, std::min(shortest, seconds), seconds);
}

void SphereWorld::move(double seconds) {
    const Vec3d fall = seconds * gravity;
    for (size_t k = 0; k < strings.size(); ++k) {
        const Sphere& s = spheres[strings[k].sphere];
        energy_before_[k] = 0.5 * s.velocity.squaredNorm() - gravity.dot(s.position);
    }
    for (size_t i = 0; i < spheres.size(); ++i) {
        Sphere& s = spheres[i];
        before_[i] = s.position;
        if (asleep_[i]) continue;
        s.position += seconds * (s.velocity + 0.5 * fall);  // exact while it flies
        s.velocity += fall;
        const double angle = seconds * s.spin.norm();
        if (angle > 0.0) s.turn = (Quatd(Eigen::AngleAxisd(angle, s.spin.normalized())) * s.turn).normalized();
    }
    for (Collider& c : colliders) c = moved(c, seconds);
    hold_strings();
}

// A thread that is taut takes the sphere back to its length. The speed is then what the height leaves, so that a
// pendulum neither gains nor loses.
void SphereWorld::hold_strings() {
    for (size_t k = 0; k < strings.size(); ++k) {
        const SphereString& string = strings[k];
        Sphere& s = spheres[string.sphere];
        const Vec3d away = s.position - string.anchor;
        const double length = away.norm();
        if (!(length > string.length)) continue;
        const Vec3d out = away / length;
        s.position = string.anchor + string.length * out;
        s.velocity -= std::max(s.velocity.dot(out), 0.0) * out;
        const double speed = s.velocity.norm(), left = 2.0 * (energy_before_[k] + gravity.dot(s.position));
        if (speed > 0.0) s.velocity *= std::sqrt(std::max(left, 0.0)) / speed;
    }
}

Vec3d SphereWorld::momentum() const {
    Vec3d sum = Vec3d::Zero();
    for (const Sphere& s : spheres) sum += s.mass * s.velocity;
    return sum;
}

double SphereWorld::energy() const {
    double sum = 0.0;
    for (const Sphere& s : spheres)
        sum += s.mass * (0.5 * s.velocity.squaredNorm() + 0.2 * s.radius * s.radius * s.spin.squaredNorm() -
                         gravity.dot(s.position));
    return sum;
}

}  // namespace sinew
