// Impulses: collisions one after another, then the load that resting spheres share, then overlaps that are left.
#include <sinew/physics/spheres/sphere_world.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A solid ball: I = 2/5 m r². At the rim it weighs 2/7 of its mass, as it turns instead of moving.
constexpr double turning_share = 2.5, rim_share = 1.0 + turning_share;
// Rounds in which collisions are passed on along a row of touching balls.
constexpr int most_rounds = 64;
// Slower than what this many moves of falling give, spheres rest instead of bouncing.
constexpr double resting_moves = 2.0;
// Overlap is left alone below this share of a radius, and taken out by this share of it in each of so many rounds.
constexpr double slop_share = 1e-3, push_share = 0.4;
constexpr int push_rounds = 3;
// Of two that overlap, one above the other, the lower gives way by so much less: it stands on others, which would push
// it back. So a pile is pushed apart from the ground up, instead of layer by layer over many steps [Guendelman2003].
constexpr double lower_share = 0.9;

}  // namespace

// How a's surface moves against b's, where they touch.
Vec3d SphereWorld::approach(const SphereContact& c) const {
    const Sphere& a = spheres[c.a];
    Vec3d v = a.velocity - a.radius * a.spin.cross(c.normal);
    if (is_sphere(c.b)) {
        const Sphere& b = spheres[c.b];
        v -= b.velocity + b.radius * b.spin.cross(c.normal);
    } else {
        v -= c.surface;
    }
    return v;
}

void SphereWorld::apply(const SphereContact& c, const Vec3d& impulse) {
    const Vec3d turn = c.normal.cross(impulse);
    Sphere& a = spheres[c.a];
    if (const double w = c.weight_a; w > 0.0) {
        a.velocity += w * impulse;
        a.spin -= (turning_share * w / a.radius) * turn;
    }
    if (const double w = c.weight_b; w > 0.0) {
        Sphere& b = spheres[c.b];
        b.velocity -= w * impulse;
        b.spin -= (turning_share * w / b.radius) * turn;
    }
}

// Pairs that would meet in this move bounce off each other, one after another, until none approaches: a row of balls
// passes the blow on to its last. Each pair loses energy or keeps it.
void SphereWorld::collide(double seconds) {
    const double resting = resting_moves * seconds * gravity.norm();
    bool again = true;
    std::ranges::fill(struck_, 0);
    for (int round = 0; round < most_rounds && again; ++round) {
        again = false;
        for (const SphereContact& c : contacts_) {
            // After the first round, only what was struck since its last turn can have begun to approach.
            const int last = std::max(struck_[c.a], is_sphere(c.b) ? struck_[c.b] : 0);
            if (round > 0 && last < round) continue;
            const Vec3d v = approach(c);
            const double closing = -v.dot(c.normal), w = c.weight_a + c.weight_b;
            if (closing <= resting + 1e-12 || c.gap > closing * seconds || w == 0.0) continue;
            again = true;
            struck_[c.a] = round + 1;
            if (is_sphere(c.b)) struck_[c.b] = round + 1;
            const double push = (1.0 + c.bounce) * closing / w;
            const Vec3d across = v + closing * c.normal;
            const double slide = across.norm();
            Vec3d impulse = push * c.normal;
            if (slide > 0.0) impulse -= std::min(slide / (rim_share * w), c.friction * push) / slide * across;
            apply(c, impulse);
        }
    }
}

// Sequential impulses [Catto2005]: no contact closes by more than its gap in this move, and none pulls; rubbing stays
// within Coulomb's cone.
void SphereWorld::share_load(double seconds) {
    const Vec3d half_fall = 0.5 * seconds * gravity;
    const double far = seconds * half_fall.norm();
    for (const SphereContact& c : contacts_)
        if (c.push > 0.0) apply(c, c.push * c.normal + c.rub);
    for (int round = 0; round < iterations; ++round) {
        for (SphereContact& c : contacts_) {
            const double w = c.weight_a + c.weight_b;
            if (w == 0.0) continue;
            Vec3d v = approach(c);
            if (c.push == 0.0 && c.gap + seconds * v.dot(c.normal) > far) continue;
            if (!is_sphere(c.b) || asleep_[c.b]) v += half_fall;  // of two that fall, neither falls against the other
            if (is_sphere(c.b) && asleep_[c.a]) v -= half_fall;
            const double push = std::max(c.push - (v.dot(c.normal) + std::max(c.gap, 0.0) / seconds) / w, 0.0);
            const Vec3d along = (push - c.push) * c.normal;
            c.push = push;
            Vec3d rub = c.rub - (v - v.dot(c.normal) * c.normal) / (rim_share * w);
            const double most = c.friction * c.push, size = rub.norm();
            if (size > most) rub *= most > 0.0 ? most / size : 0.0;
            apply(c, along + rub - c.rub);
            c.rub = rub;
        }
    }
}

// Contacts that overlap or nearly do, the lowest first, in layers as thick as half the smallest radius.
void SphereWorld::order_upwards(const Vec3d& up) {
    upwards_.clear();
    double low = INFINITY, high = -INFINITY;
    const auto height = [&](const SphereContact& c) {
        return up.dot(spheres[c.a].position - 0.5 * spheres[c.a].radius * c.normal);
    };
    for (const SphereContact& c : contacts_) low = std::min(low, height(c)), high = std::max(high, height(c));
    const double layer = std::max(0.5 * least_radius_, (high - low) / static_cast<double>(contacts_.size() + 1));
    const auto layer_of = [&](const SphereContact& c) { return static_cast<size_t>((height(c) - low) / layer); };
    layer_first_.assign(contacts_.size() + 3, 0);
    for (const SphereContact& c : contacts_) ++layer_first_[layer_of(c) + 1];
    for (size_t k = 1; k < layer_first_.size(); ++k) layer_first_[k] += layer_first_[k - 1];
    upwards_.resize(contacts_.size());
    for (uint32_t k = 0; k < contacts_.size(); ++k) upwards_[layer_first_[layer_of(contacts_[k])]++] = k;
}

void SphereWorld::push_apart() {
    const Vec3d up = gravity.isZero() ? Vec3d(Vec3d::Zero()) : Vec3d(-gravity.normalized());
    order_upwards(up);
    for (int round = 0; round < push_rounds; ++round) {
        for (const uint32_t k : upwards_) {
            SphereContact& c = contacts_[k];
            Sphere& a = spheres[c.a];
            if (is_sphere(c.b)) {
                const Vec3d between = a.position - spheres[c.b].position;
                const double length = between.norm();
                c.gap = length - a.radius - spheres[c.b].radius;
                if (length > 0.0) c.normal = between / length;
            } else {
                const ColliderContact at = touch(colliders[c.b - spheres.size()], a.position);
                c.gap = at.distance - a.radius, c.normal = at.normal;
            }
            const double deep = -c.gap - slop_share * a.radius;
            if (deep <= 0.0 || c.weight_a + c.weight_b == 0.0) continue;
            const double over = lower_share * c.normal.dot(up);  // of a over b
            const double wa = c.weight_a * (1.0 + std::min(over, 0.0)), wb = c.weight_b * (1.0 - std::max(over, 0.0));
            const Vec3d out = (push_share * deep / (wa + wb)) * c.normal;
            a.position += wa * out;
            if (wb > 0.0) spheres[c.b].position -= wb * out;
        }
    }
}

}  // namespace sinew
