// Which spheres touch or are about to, what their contact carried a moment ago, and which groups are at rest.
#include <sinew/physics/spheres/sphere_world.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A sphere slower than this share of √(g r), the speed that a radius of height gives, for so long, goes to sleep; a
// neighbour that is faster wakes it.
constexpr double calm_share = 0.03, calm_seconds = 0.5;
// Two that overlap by more than this share of a radius are pushed apart before they sleep.
constexpr double most_overlap = 0.005;
// And those that sleep are woken where one that does not overlaps them by more than this.
constexpr double waking_overlap = 0.006;
// A sphere stands on another that is below it, at least by this share of straight down, and within this share of a
// radius of touching.
constexpr double standing_slope = 0.2, standing_gap = 0.01;

}  // namespace

void SphereWorld::add_contact(uint32_t a, uint32_t b, const Vec3d& normal, double gap, const Vec3d& surface) {
    const Sphere& s = spheres[a];
    const bool pair = is_sphere(b);
    const size_t c = b - (pair ? 0 : spheres.size());
    const double bounce = pair ? spheres[b].bounce : colliders[c].bounce;
    const double friction = pair ? spheres[b].friction : colliders[c].friction;
    contacts_.push_back({.a = a,
                         .b = b,
                         .normal = normal,
                         .gap = gap,
                         .surface = surface,
                         .bounce = std::max(s.bounce, bounce),
                         .friction = std::sqrt(s.friction * friction)});
}

void SphereWorld::find_contacts(double seconds) {
    std::swap(contacts_, last_contacts_);
    contacts_.clear();
    // What is farther apart cannot meet in this move; the grid's cells allow for it.
    double fastest = 0.0;
    for (const Sphere& s : spheres) fastest = std::max(fastest, s.velocity.squaredNorm());
    const double way = 2.0 * seconds * (std::sqrt(fastest) + seconds * gravity.norm());
    const double reach = std::min(way, grid_.cell_size() - 2.0 * largest_radius_);
    for (uint32_t i = 0; i < spheres.size(); ++i) {
        const size_t first = contacts_.size();
        grid_.near_later(i, [&](uint32_t j) {
            const Sphere &a = spheres[i], &b = spheres[j];
            const Vec3d between = a.position - b.position;
            const double near = a.radius + b.radius + reach;
            if (between.squaredNorm() > near * near || (asleep_[i] && asleep_[j])) return;
            const double length = between.norm();
            const Vec3d normal = length > 0.0 ? Vec3d(between / length) : Vec3d::UnitY();
            add_contact(i, j, normal, length - a.radius - b.radius, Vec3d::Zero());
        });
        std::sort(contacts_.begin() + static_cast<std::ptrdiff_t>(first), contacts_.end(),
                  [](const SphereContact& l, const SphereContact& r) { return l.b < r.b; });
        const double speed = spheres[i].velocity.norm() * seconds;
        for (size_t c = 0; c < colliders.size(); ++c) {
            if (asleep_[i] && colliders[c].velocity_a.isZero() && colliders[c].velocity_b.isZero()) continue;
            const ColliderContact at = touch(colliders[c], spheres[i].position);
            if (at.distance - spheres[i].radius < std::max(reach, speed))
                add_contact(i, static_cast<uint32_t>(spheres.size() + c), at.normal, at.distance - spheres[i].radius,
                            at.velocity);
        }
    }
}

// Impulses of the last move are a good guess for those of this one, and what a pair bore when it fell asleep for the
// move in which it wakes. All lists are sorted.
void SphereWorld::keep_impulses(double seconds) {
    const auto before = [](const auto& l, const auto& r) { return l.a < r.a || (l.a == r.a && l.b < r.b); };
    const double share = last_seconds_ > 0.0 ? std::min(seconds / last_seconds_, 1.0) : 0.0;
    last_seconds_ = seconds;
    auto last = last_contacts_.begin();
    auto load = sleeping_loads_.begin();
    for (SphereContact& c : contacts_) {
        c.weight_a = asleep_[c.a] ? 0.0 : 1.0 / spheres[c.a].mass;
        c.weight_b = at_rest(c.b) ? 0.0 : 1.0 / spheres[c.b].mass;
        while (last != last_contacts_.end() && before(*last, c)) ++last;
        while (load != sleeping_loads_.end() && before(*load, c)) ++load;
        if (last != last_contacts_.end() && !before(c, *last))
            c.push = share * last->push, c.rub = share * last->rub;
        else if (load != sleeping_loads_.end() && !before(c, *load))
            c.push = seconds * load->push, c.rub = seconds * load->rub;
        c.rub -= c.rub.dot(c.normal) * c.normal;
    }
}

// Contacts whose two sides sleep are not looked for: what they bear is kept until one of them wakes.
void SphereWorld::keep_sleeping_loads(double seconds) {
    std::swap(sleeping_loads_, last_loads_);
    sleeping_loads_.clear();
    const auto keep = [this](const SleepingLoad& load) {
        if (asleep_[load.a] && at_rest(load.b) && load.push > 0.0) sleeping_loads_.push_back(load);
    };
    auto load = last_loads_.begin();
    for (const SphereContact& c : contacts_) {
        for (; load != last_loads_.end() && (load->a < c.a || (load->a == c.a && load->b < c.b)); ++load) keep(*load);
        if (load != last_loads_.end() && load->a == c.a && load->b == c.b) ++load;
        keep({.a = c.a, .b = c.b, .push = c.push / seconds, .rub = c.rub / seconds});
    }
    for (; load != last_loads_.end(); ++load) keep(*load);
}

void SphereWorld::wake_touched() {
    if (!sleep) return;
    const double least = calm_share * std::sqrt(gravity.norm() * least_radius_) + last_seconds_ * gravity.norm();
    const auto wake = [this](uint32_t i) { asleep_[i] = 0, calm_[i] = 0.0; };
    // What is woken wakes its own neighbours in the next move, if it moves.
    for (const SphereContact& c : contacts_) {
        if (!is_sphere(c.b)) {
            if (asleep_[c.a] && c.surface.norm() > least) wake(c.a);
        } else if (asleep_[c.a] != asleep_[c.b] && c.gap < -waking_overlap * spheres[c.a].radius) {
            wake(asleep_[c.a] ? c.a : c.b);  // what sleeps gives no way: between two of them none gets free
        } else if (asleep_[c.a] != asleep_[c.b]) {
            const uint32_t awake = asleep_[c.a] ? c.b : c.a;
            if (spheres[awake].velocity.norm() > least) wake(asleep_[c.a] ? c.a : c.b);
        }
    }
}

// A sphere sleeps when it and all that touch it have been calm for long enough, and all that it stands on sleep: a pile
// falls asleep from the ground up. One that slept above others that do not would hang in the air, and the load that
// they no longer bear would fall on them when it wakes. One that flies is never calm for long.
void SphereWorld::rest(double seconds) {
    if (!sleep || gravity.isZero()) return;
    const double calm_speed = calm_share * std::sqrt(gravity.norm() * least_radius_);
    restless_.assign(spheres.size(), 0);
    for (uint32_t i = 0; i < spheres.size(); ++i) {
        const Sphere& s = spheres[i];
        const double speed = (s.position - before_[i]).norm() / seconds + s.spin.norm() * s.radius;
        calm_[i] = speed < calm_speed ? calm_[i] + seconds : 0.0;
    }
    for (const SphereString& string : strings) calm_[string.sphere] = 0.0;
    const Vec3d up = -gravity.normalized();
    for (const SphereContact& c : contacts_) {
        if (!is_sphere(c.b)) continue;
        const double over = c.normal.dot(up);  // of a over b
        if (std::abs(over) > standing_slope && c.gap < standing_gap * least_radius_)
            restless_[over > 0.0 ? c.a : c.b] |= !asleep_[over > 0.0 ? c.b : c.a];
        if (!(c.push > 0.0)) continue;
        const bool deep = c.gap < -most_overlap * spheres[c.a].radius && asleep_[c.a] == asleep_[c.b];
        restless_[c.a] |= deep || calm_[c.b] < 0.5 * calm_seconds;
        restless_[c.b] |= deep || calm_[c.a] < 0.5 * calm_seconds;
    }
    for (uint32_t i = 0; i < spheres.size(); ++i) {
        if (asleep_[i] || restless_[i] || calm_[i] < calm_seconds) continue;
        asleep_[i] = 1;
        spheres[i].velocity.setZero();
        spheres[i].spin.setZero();
    }
    keep_sleeping_loads(seconds);
}

size_t SphereWorld::sleeping() const {
    return static_cast<size_t>(std::ranges::count(asleep_, uint8_t{1}));
}

}  // namespace sinew
