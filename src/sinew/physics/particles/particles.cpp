#include <sinew/physics/particles/particles.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <cmath>
#include <functional>

namespace sinew {
namespace {

constexpr size_t slot_grain = 1024;
// A particle this far behind a body's skin was never in front of it.
constexpr float most_behind = 0.1f;

Vec3 any_perpendicular(const Vec3& v) {
    return (std::abs(v.y()) < 0.9f ? v.cross(Vec3::UnitY()) : v.cross(Vec3::UnitX())).normalized();
}

}  // namespace

Particles::Particles(const Emitter& emitter, uint64_t seed) : emitter_(emitter), random_(seed) {
    for (auto* values : {&x_, &y_, &z_, &vx_, &vy_, &vz_, &left_}) values->assign(emitter.most, 0.0f);
    stuck_.assign(emitter.most, 0), generation_.assign(emitter.most, 0), near_.assign(emitter.most, 0xffffffffu);
    if (emitter.eddies > 0.0f) eddies_ = make_turbulence(emitter.eddies, emitter.eddy_length, seed);
}

void Particles::step(float seconds, const ParticleWorld& world) {
    emit(seconds, world);
    attract(seconds, world.attractors);
    if (world.wind && emitter_.drag > 0.0f) blow(seconds, *world.wind);
    // What is stuck keeps its place: its velocity is 0 and nothing moves it.
    const ParticleStep how{.seconds = seconds,
                           .gravity = world.gravity,
                           .drag = world.wind ? 0.0f : emitter_.drag,
                           .eddies = emitter_.eddies > 0.0f && emitter_.drag > 0.0f ? &eddies_ : nullptr,
                           .time = static_cast<float>(time_)};
    if (emitter_.stick) {
        for (size_t i = 0; i < slots(); ++i)
            if (!stuck_[i]) advance_particles(how, {&x_[i], &y_[i], &z_[i], &vx_[i], &vy_[i], &vz_[i], 1});
    } else {
        advance_particles(how, {x_.data(), y_.data(), z_.data(), vx_.data(), vy_.data(), vz_.data(), slots()});
    }
    collide(seconds, world);
    for (float& left : left_) left = std::max(left - seconds, 0.0f);
    time_ += seconds;
}

void Particles::emit(float seconds, const ParticleWorld& world) {
    if (time_ < emitter_.from || time_ >= emitter_.until) return;
    const bool surface = emitter_.shape == EmitterShape::surface;
    if (surface && (!world.emitting || world.emitting->empty())) return;
    for (owed_ += emitter_.rate * seconds; owed_ >= 1.0; owed_ -= 1.0) {
        size_t tried = 0;
        while (tried < slots() && alive(next_)) next_ = (next_ + 1) % slots(), ++tried;
        if (slots() == 0 || tried == slots()) {  // all slots are taken: the rest is not made up for later
            owed_ = 0.0;
            return;
        }
        Vec3 at = emitter_.at, along = emitter_.direction;
        const Vec3 u = any_perpendicular(along), w = along.cross(u);
        if (emitter_.shape == EmitterShape::disc) {
            const auto r = emitter_.radius * static_cast<float>(std::sqrt(random_.uniform()));
            const auto turn = static_cast<float>(random_.uniform(0.0, 2.0 * M_PI));
            at += r * (std::cos(turn) * u + std::sin(turn) * w);
        } else if (surface) {
            const auto triangles = world.emitting->triangles();
            const uint32_t* k = &triangles[3 * random_.below(triangles.size() / 3)];
            const auto s = static_cast<float>(std::sqrt(random_.uniform())), t = static_cast<float>(random_.uniform());
            const auto p = world.emitting->positions(), n = world.emitting->normals();
            at = (1 - s) * p[k[0]] + s * (1 - t) * p[k[1]] + s * t * p[k[2]];
            along = ((1 - s) * n[k[0]] + s * (1 - t) * n[k[1]] + s * t * n[k[2]]).normalized();
        }
        const Vec3 side = any_perpendicular(along), up = along.cross(side);
        const double z = random_.uniform(std::cos(emitter_.spread), 1.0), turn = random_.uniform(0.0, 2.0 * M_PI);
        const auto r = static_cast<float>(std::sqrt(std::max(1.0 - z * z, 0.0)));
        const Vec3 v = emitter_.speed * (static_cast<float>(z) * along + r * static_cast<float>(std::cos(turn)) * side +
                                         r * static_cast<float>(std::sin(turn)) * up);
        x_[next_] = at.x(), y_[next_] = at.y(), z_[next_] = at.z();
        vx_[next_] = v.x(), vy_[next_] = v.y(), vz_[next_] = v.z();
        left_[next_] = emitter_.life, stuck_[next_] = 0;
        ++generation_[next_];
    }
}

void Particles::attract(float seconds, std::span<const Attractor> attractors) {
    for (const Attractor& a : attractors)
        for (size_t i = 0; i < slots(); ++i) {
            const Vec3 to = a.at - position(i);
            const float distance = to.norm();
            if (stuck_[i] || distance >= a.radius || !(distance > 0.0f)) continue;
            const Vec3 push = (seconds * a.strength * (1.0f - distance / a.radius) / distance) * to;
            vx_[i] += push.x(), vy_[i] += push.y(), vz_[i] += push.z();
        }
}

// Gusts differ from place to place: each particle takes on the speed of the air where it is.
void Particles::blow(float seconds, const Wind& wind) {
    const float take = 1.0f - std::exp(-emitter_.drag * seconds);
    const auto blow_some = [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            if (!alive(i) || stuck_[i]) continue;
            Vec3 air = wind_at(position(i).cast<double>(), time_, wind).cast<float>();
            if (emitter_.eddies > 0.0f) air += turbulence_at(eddies_, position(i), static_cast<float>(time_));
            vx_[i] += take * (air.x() - vx_[i]), vy_[i] += take * (air.y() - vy_[i]),
                vz_[i] += take * (air.z() - vz_[i]);
        }
    };
    parallel_for(slots(), slot_grain, std::ref(blow_some));  // by reference: nothing is allocated
}

void Particles::touch_surface(size_t i, const Vec3& place, const Vec3& normal, const Vec3& carried, float friction,
                              float bounce) {
    x_[i] = place.x(), y_[i] = place.y(), z_[i] = place.z();
    Vec3 v = velocity(i) - carried;
    const float in = v.dot(normal);
    if (emitter_.stick) {
        stuck_[i] = 1, vx_[i] = vy_[i] = vz_[i] = 0.0f;
        return;
    }
    if (in >= 0.0f) return;
    const Vec3 along = v - in * normal;
    const float slide = along.norm(), stop = friction * (1.0f + bounce) * -in;  // Coulomb, on one blow
    v = (slide > stop ? Vec3((1.0f - stop / slide) * along) : Vec3(Vec3::Zero())) - bounce * in * normal + carried;
    vx_[i] = v.x(), vy_[i] = v.y(), vz_[i] = v.z();
}

void Particles::collide(float seconds, const ParticleWorld& world) {
    if (world.colliders.empty() && world.bodies.empty()) return;
    const auto collide_some = [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            if (!alive(i) || stuck_[i]) continue;
            for (const Collider& c : world.colliders) {
                const ColliderContact at = touch(c, position(i).cast<double>());
                if (at.distance >= 0.0) continue;
                const Vec3 n = at.normal.cast<float>();
                touch_surface(i, position(i) - static_cast<float>(at.distance) * n, n, at.velocity.cast<float>(),
                              std::sqrt(emitter_.friction * static_cast<float>(c.friction)),
                              std::max(emitter_.bounce, static_cast<float>(c.bounce)));
            }
            for (const SurfaceTree* body : world.bodies) {
                const float reach = most_behind + seconds * velocity(i).norm();
                const SurfaceHit at = body->nearest(position(i), reach, near_[i]);
                near_[i] = at.triangle;
                if (at.found() && at.distance < 0.0f)
                    touch_surface(i, at.place, at.normal, Vec3::Zero(), emitter_.friction, emitter_.bounce);
            }
        }
    };
    parallel_for(slots(), slot_grain, std::ref(collide_some));
}

size_t Particles::alive_count() const {
    return static_cast<size_t>(std::ranges::count_if(left_, [](float left) { return left > 0.0f; }));
}

}  // namespace sinew
