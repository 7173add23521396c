// Turbulence: a field of eddies without sources or sinks, the curl of smooth noise, as a sum of waves [Kraichnan1970].
// Data flow: a seed, a strength → *here* → particles.
#pragma once

#include <sinew/math/types.h>
#include <array>
#include <cstdint>

namespace sinew {

constexpr size_t turbulence_waves = 8;

// Σ push_k sin(wave_k · x + rate_k t + phase_k), with push_k ⊥ wave_k: each wave is a shear, so that the divergence is
// 0 everywhere.
struct Turbulence {
    std::array<Vec3, turbulence_waves> wave, push;
    std::array<float, turbulence_waves> phase, rate;
};

// Eddies about `length` metres across that move at `speed`, the root of the mean square.
Turbulence make_turbulence(float speed, float length, uint64_t seed);

Vec3 turbulence_at(const Turbulence& field, const Vec3& place, float time);

}  // namespace sinew
