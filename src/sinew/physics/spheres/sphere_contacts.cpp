// Which spheres touch or are about to, what their contact carried a moment ago, and which groups are at rest.
#include <sinew/physics/spheres/sphere_world.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Groups slower than this share of √(g r), the speed that a radius of height gives, for so long, go to sleep; what hits
// them faster than twice that wakes them.
constexpr double calm_share = 0.03, calm_seconds = 0.5, wake_factor = 2.0;

uint32_t group_of(std::vector<uint32_t>& group, uint32_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
}

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
    // What is farther apart cannot meet in this move: neither goes farther than a grid's cell allows for.
    const double reach = grid_.cell_size() - 2.0 * largest_radius_;
    grid_.pairs([&](uint32_t i, uint32_t j) {
        const Sphere &a = spheres[i], &b = spheres[j];
        const Vec3d between = a.position - b.position;
        const double near = a.radius + b.radius + reach;
        if (between.squaredNorm() > near * near || (asleep_[i] && asleep_[j])) return;
        const double length = between.norm();
        const Vec3d normal = length > 0.0 ? Vec3d(between / length) : Vec3d::UnitY();
        add_contact(i, j, normal, length - a.radius - b.radius, Vec3d::Zero());
    });
    for (uint32_t i = 0; i < spheres.size(); ++i) {
        if (asleep_[i]) continue;
        const double speed = spheres[i].velocity.norm() * seconds;
        for (size_t c = 0; c < colliders.size(); ++c) {
            const ColliderContact at = touch(colliders[c], spheres[i].position);
            if (at.distance - spheres[i].radius < std::max(reach, speed))
                add_contact(i, static_cast<uint32_t>(spheres.size() + c), at.normal, at.distance - spheres[i].radius,
                            at.velocity);
        }
    }
    std::ranges::sort(
        contacts_, [](const SphereContact& l, const SphereContact& r) { return l.a != r.a ? l.a < r.a : l.b < r.b; });
}

// Impulses of the last move are a good guess for those of this one. Both lists are sorted.
void SphereWorld::keep_impulses(double seconds) {
    size_t k = 0;
    const double share = last_seconds_ > 0.0 ? std::min(seconds / last_seconds_, 1.0) : 0.0;
    last_seconds_ = seconds;
    for (SphereContact& c : contacts_) {
        while (k < last_contacts_.size() &&
               (last_contacts_[k].a < c.a || (last_contacts_[k].a == c.a && last_contacts_[k].b < c.b)))
            ++k;
        if (k == last_contacts_.size()) break;
        const SphereContact& last = last_contacts_[k];
        if (last.a != c.a || last.b != c.b) continue;
        c.push = share * last.push;
        c.rub = share * (last.rub - last.rub.dot(c.normal) * c.normal);
    }
}

void SphereWorld::wake_touched() {
    if (!sleep) return;
    const double least = wake_factor * calm_share * std::sqrt(gravity.norm() * least_radius_);
    // What is woken wakes its own neighbours in the next move, if it moves.
    for (const SphereContact& c : contacts_) {
        if (!is_sphere(c.b) || asleep_[c.a] == asleep_[c.b]) continue;
        const uint32_t awake = asleep_[c.a] ? c.b : c.a, other = asleep_[c.a] ? c.a : c.b;
        if (spheres[awake].velocity.norm() < least) continue;
        asleep_[other] = 0, calm_[other] = 0.0;
    }
}

// A group is what hangs together by contacts. It sleeps when all in it have been calm for long enough.
void SphereWorld::rest(double seconds) {
    if (!sleep || gravity.isZero()) return;
    const double calm_speed = calm_share * std::sqrt(gravity.norm() * least_radius_);
    group_.resize(spheres.size());
    group_calm_.assign(spheres.size(), INFINITY);
    for (uint32_t i = 0; i < spheres.size(); ++i) {
        group_[i] = i;
        const double speed =
            (spheres[i].position - before_[i]).norm() / seconds + spheres[i].spin.norm() * spheres[i].radius;
        calm_[i] = speed < calm_speed ? calm_[i] + seconds : 0.0;
    }
    for (const SphereContact& c : contacts_) {
        if (!is_sphere(c.b) || !(c.push > 0.0)) continue;
        const uint32_t a = group_of(group_, c.a), b = group_of(group_, c.b);
        group_[std::max(a, b)] = std::min(a, b);
    }
    for (const SphereString& string : strings) calm_[string.sphere] = 0.0;
    for (uint32_t i = 0; i < spheres.size(); ++i) {
        if (asleep_[i]) continue;
        double& least = group_calm_[group_of(group_, i)];
        least = std::min(least, calm_[i]);
    }
    // Only what is held up may sleep: at the top of its flight a ball is slow, too. It is calm for an instant only.
    for (uint32_t i = 0; i < spheres.size(); ++i) {
        if (asleep_[i] || group_calm_[group_of(group_, i)] < calm_seconds) continue;
        asleep_[i] = 1;
        spheres[i].velocity.setZero();
        spheres[i].spin.setZero();
    }
}

size_t SphereWorld::sleeping() const {
    return static_cast<size_t>(std::ranges::count(asleep_, uint8_t{1}));
}

}  // namespace sinew
