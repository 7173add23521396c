// The inner loop of particles: many of them, side by side, at the speed of memory.
// Data flow: Particles' arrays → *here* → the same a step later.
#pragma once

#include <sinew/physics/particles/turbulence.h>
#include <cstddef>

namespace sinew {

struct ParticleArrays {
    float *x, *y, *z, *vx, *vy, *vz;
    size_t count;
};

struct ParticleStep {
    float seconds = 0;
    Vec3 gravity = Vec3(0, -9.81f, 0);
    float drag = 0;                      // per second: how fast a particle takes on the air's speed
    Vec3 air = Vec3::Zero();             // how the air moves everywhere
    const Turbulence* eddies = nullptr;  // and beyond that
    float time = 0;                      // for the eddies
    bool floor = false;                  // at y = floor_height
    float floor_height = 0, bounce = 0, friction = 0;
};

// v takes on gravity and the air, x goes along; what is below the floor comes out of it and bounces. The twin does the
// same one by one.
void advance_particles(const ParticleStep& step, const ParticleArrays& particles);
void advance_particles_scalar(const ParticleStep& step, const ParticleArrays& particles);

}  // namespace sinew
