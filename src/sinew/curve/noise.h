// Noise: smooth randomness for curves that no one wants to key, and wind made of it. The same numbers on every machine.
// Data flow: a time or a place → *here* → expressions, clip/edit's secondary action.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>

namespace sinew {

// Gradient noise [Perlin2002]: C², within [−1, 1], and 0 at whole numbers. One wave is about two units long.
double gradient_noise(double x, uint64_t seed = 0);
double gradient_noise(const Vec3d& place, uint64_t seed = 0);

// Octaves of it, each `lacunarity` times as fast and `persistence` times as strong as the one before. Within [−gain,
// gain].
struct FractalNoise {
    int octaves = 4;           // 1 to 32
    double persistence = 0.5;  // above 1 the small waves are the strong ones
    double lacunarity = 2.0;
    double gain = 1.0;
    uint64_t seed = 0;
};
double fractal_noise(double x, const FractalNoise& noise);
double fractal_noise(const Vec3d& place, const FractalNoise& noise);

// Wind: a steady stream, gusts that travel with it, and turbulence to all sides. Metres and seconds.
struct Wind {
    Vec3d velocity = Vec3d(0, 0, 3);  // where it blows to, and how fast
    double gusts = 0.3;               // how much stronger and weaker it gets, as a share of its speed
    double gust_length = 6.0;         // metres from one gust to the next, about
    double turbulence = 0.1;          // to all sides, as a share of its speed
    double eddy_length = 1.5;
    uint64_t seed = 0;
};
// What blows at a place at a time. The pattern is carried along unchanged: wind_at(p + velocity·dt, t + dt) =
// wind_at(p, t).
Vec3d wind_at(const Vec3d& place, double time, const Wind& wind);

}  // namespace sinew
