#include <sinew/physics/particles/turbulence.h>

#include <sinew/core/random.h>
#include <cmath>

namespace sinew {

Turbulence make_turbulence(float speed, float length, uint64_t seed) {
    Turbulence field;
    Random random(seed);
    const auto any = [&] {
        const double z = random.uniform(-1.0, 1.0), turn = random.uniform(0.0, 2.0 * M_PI), r = std::sqrt(1.0 - z * z);
        return Vec3(Vec3d(r * std::cos(turn), r * std::sin(turn), z).cast<float>());
    };
    // Wave lengths from twice the eddy's to half of it; small eddies are weaker [Kolmogorov1941].
    float total = 0.0f;
    for (size_t k = 0; k < turbulence_waves; ++k) {
        const float octave = 2.0f * static_cast<float>(k) / static_cast<float>(turbulence_waves - 1) - 1.0f;
        const float number = pi / length * std::exp2(octave), strength = std::pow(std::exp2(octave), -1.0f / 3.0f);
        field.wave[k] = number * any();
        Vec3 push = field.wave[k].cross(any());
        while (push.squaredNorm() < 1e-6f * number * number) push = field.wave[k].cross(any());
        field.push[k] = strength * push.normalized();
        field.phase[k] = static_cast<float>(random.uniform(0.0, 2.0 * M_PI));
        field.rate[k] = number * speed * static_cast<float>(random.uniform(-0.5, 0.5));
        total += 0.5f * strength * strength;
    }
    for (Vec3& push : field.push) push *= speed / std::sqrt(total);
    return field;
}

Vec3 turbulence_at(const Turbulence& field, const Vec3& place, float time) {
    Vec3 sum = Vec3::Zero();
    for (size_t k = 0; k < turbulence_waves; ++k)
        sum += std::sin(field.wave[k].dot(place) + field.rate[k] * time + field.phase[k]) * field.push[k];
    return sum;
}

}  // namespace sinew
