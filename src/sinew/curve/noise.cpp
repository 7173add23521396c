#include <sinew/curve/noise.h>

#include <sinew/core/random.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Where doubles still have fractions enough for noise; beyond it, and for what is not a number, noise is 0.
constexpr double farthest = 1e15;

double fade(double u) {
    return u * u * u * (u * (6 * u - 15) + 10);
}

uint64_t hash_cell(int64_t x, int64_t y, int64_t z, uint64_t seed) {
    uint64_t h = Random(seed).next();
    for (const int64_t c : {x, y, z}) h = Random(h ^ static_cast<uint64_t>(c)).next();
    return h;
}

double unit_share(uint64_t hash) {
    return static_cast<double>(hash >> 11) * 0x1.0p-53;
}

// One of the twelve directions to the middles of a cube's edges [Perlin2002], times where in the cell we are.
double corner_slope(uint64_t hash, double x, double y, double z) {
    const uint64_t h = hash & 15u;
    const double u = h < 8 ? x : y;
    const double v = h < 4 ? y : (h == 12 || h == 14 ? x : z);
    return ((h & 1u) ? -u : u) + ((h & 2u) ? -v : v);
}

double mix(double a, double b, double u) {
    return a + u * (b - a);
}

template <class Place>
double sum_octaves(const Place& place, const FractalNoise& noise) {
    const int octaves = std::clamp(noise.octaves, 1, 32);
    double sum = 0.0, strength = 1.0, all = 0.0, rate = 1.0;
    for (int k = 0; k < octaves; ++k) {
        sum += strength * gradient_noise(Place(rate * place), noise.seed + static_cast<uint64_t>(k));
        all += std::abs(strength);
        strength *= noise.persistence;
        rate *= noise.lacunarity;
    }
    return noise.gain * sum / all;
}

}  // namespace

double gradient_noise(double x, uint64_t seed) {
    if (!(std::abs(x) < farthest)) return 0.0;
    const double cell = std::floor(x), u = x - cell;
    const auto i = static_cast<int64_t>(cell);
    const auto slope = [&](int64_t k) { return 2.0 * unit_share(hash_cell(k, 0, 0, seed)) - 1.0; };
    // Two slopes of ±1 meet at ±1/2: doubled, the noise fills [−1, 1].
    return 2.0 * mix(slope(i) * u, slope(i + 1) * (u - 1.0), fade(u));
}

double gradient_noise(const Vec3d& place, uint64_t seed) {
    if (!(place.cwiseAbs().maxCoeff() < farthest)) return 0.0;
    const Vec3d cell(std::floor(place.x()), std::floor(place.y()), std::floor(place.z())), p = place - cell;
    const auto corner = [&](int dx, int dy, int dz) {
        const uint64_t hash = hash_cell(static_cast<int64_t>(cell.x()) + dx, static_cast<int64_t>(cell.y()) + dy,
                                        static_cast<int64_t>(cell.z()) + dz, seed);
        return corner_slope(hash >> 32, p.x() - dx, p.y() - dy, p.z() - dz);
    };
    const double u = fade(p.x()), v = fade(p.y()), w = fade(p.z());
    const auto layer = [&](int dz) {
        return mix(mix(corner(0, 0, dz), corner(1, 0, dz), u), mix(corner(0, 1, dz), corner(1, 1, dz), u), v);
    };
    return std::clamp(mix(layer(0), layer(1), w), -1.0, 1.0);
}

double fractal_noise(double x, const FractalNoise& noise) {
    return sum_octaves(x, noise);
}

double fractal_noise(const Vec3d& place, const FractalNoise& noise) {
    return sum_octaves(place, noise);
}

Vec3d wind_at(const Vec3d& place, double time, const Wind& wind) {
    const Vec3d carried = place - time * wind.velocity;
    const double speed = wind.velocity.norm();
    constexpr double shortest = 1e-3;  // a millimetre
    const Vec3d gust = carried / std::max(wind.gust_length, shortest),
                eddy = carried / std::max(wind.eddy_length, shortest);
    const FractalNoise octaves{.octaves = 3, .seed = wind.seed};
    Vec3d blown = wind.velocity * (1.0 + wind.gusts * fractal_noise(gust, octaves));
    for (int c = 0; c < 3; ++c)
        blown[c] += speed * wind.turbulence * gradient_noise(eddy, wind.seed + 100 + static_cast<uint64_t>(c));
    return blown;
}

}  // namespace sinew
