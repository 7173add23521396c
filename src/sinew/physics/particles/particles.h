// Particles: points that are emitted, fall, drift, are drawn to places, bounce, slide or stick, and go out.
// Data flow: an emitter, air, colliders → *here*, step after step → places and who is alive.
#pragma once

#include <sinew/core/random.h>
#include <sinew/curve/noise.h>
#include <sinew/physics/colliders.h>
#include <sinew/physics/particles/kernels/particle_kernel.h>
#include <sinew/physics/surface_tree.h>
#include <span>
#include <vector>

namespace sinew {

enum class EmitterShape : uint8_t { point, disc, surface };

struct Emitter {
    EmitterShape shape = EmitterShape::point;
    Vec3 at = Vec3::Zero();
    Vec3 direction = Vec3::UnitY();  // unit: where they go, and a disc's normal. A surface emits along its own normals
    float radius = 0.0f;             // of a disc
    float speed = 1.0f, spread = 0.2f;  // metres a second; the half angle of the cone, radians
    float rate = 100.0f;                // a second
    float from = 0.0f, until = INFINITY;
    float life = 2.0f;  // seconds
    float drag = 0.0f, bounce = 0.3f, friction = 0.2f;
    bool stick = false;        // to the first thing they touch
    float eddies = 0.0f;       // metres a second of turbulence
    float eddy_length = 0.5f;  // metres
    size_t most = 1000;        // alive at once
};

// Draws particles within `radius`, with this acceleration at its centre, falling to 0 at its rim. Negative: pushes
// away.
struct Attractor {
    Vec3 at = Vec3::Zero();
    float strength = 1.0f, radius = 1.0f;
};

struct ParticleWorld {
    Vec3 gravity = Vec3(0, -9.81f, 0);
    const Wind* wind = nullptr;
    std::span<const Collider> colliders = {};
    std::span<const Attractor> attractors = {};
    std::span<const SurfaceTree* const> bodies = {};
    const SurfaceTree* emitting = nullptr;  // the body that a surface emits from
};

// A particle keeps its slot until it goes out; then another may take it.
class Particles {
public:
    Particles(const Emitter& emitter, uint64_t seed);

    // Advances by `seconds`. Nothing is allocated.
    void step(float seconds, const ParticleWorld& world);

    size_t slots() const { return x_.size(); }
    bool alive(size_t slot) const { return left_[slot] > 0.0f; }
    Vec3 position(size_t slot) const { return {x_[slot], y_[slot], z_[slot]}; }
    Vec3 velocity(size_t slot) const { return {vx_[slot], vy_[slot], vz_[slot]}; }
    size_t alive_count() const;
    // How many have taken a slot before this one did: changes when a new particle is in it.
    uint32_t generation(size_t slot) const { return generation_[slot]; }

private:
    void emit(float seconds, const ParticleWorld& world);
    void attract(float seconds, std::span<const Attractor> attractors);
    void blow(float seconds, const Wind& wind);
    void collide(float seconds, const ParticleWorld& world);
    void touch_surface(size_t slot, const Vec3& place, const Vec3& normal, const Vec3& velocity, float friction,
                       float bounce);

    Emitter emitter_;
    Turbulence eddies_;
    Random random_;
    double time_ = 0.0, owed_ = 0.0;
    size_t next_ = 0;
    std::vector<float> x_, y_, z_, vx_, vy_, vz_, left_;
    std::vector<uint8_t> stuck_;
    std::vector<uint32_t> generation_, near_;
};

}  // namespace sinew
