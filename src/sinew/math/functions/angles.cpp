#include <sinew/math/functions/functions.h>
#include <sinew/math/functions/two.h>

#include <cmath>
#include <utility>

namespace sinew::functions {
namespace {

constexpr double itself = 0x1p-27;  // below, x³/6 is no half of a last bit of x
constexpr double half_pi = 0x1.921fb54442d18p+0, half_pi_rest = 0x1.1a62633145c07p-54;

// An angle within ±π/4, and how many quarter turns were taken off.
struct Reduced {
    Two angle;
    int quarters = 0;
};

Reduced reduced(double x) {
    constexpr double quarter_pi = half_pi / 2;
    if (std::abs(x) <= quarter_pi) return {{x, 0}, 0};
    constexpr double most = 1 << 20;  // quarter turns times 33 bits of π/2 are exact up to here
    if (!(std::abs(x) < most)) x = std::fmod(x, 4 * half_pi);  // angles that no joint has: as exact as the double 2π
    constexpr double first = 0x1.921fb544p+0, second = 0x1.0b4611a6p-34, third = 0x1.3198a2e037073p-69;  // π/2
    constexpr double large = 0x1.8p52;  // added and taken off again, it rounds to whole numbers
    const double turns = (x * 0x1.45f306dc9c883p-1 + large) - large;
    const Two rest = sum(x - turns * first, -(turns * second));
    return {fast_sum(rest.high, rest.low - turns * third), static_cast<int>(turns) & 3};
}

double sine_near_zero(Two r) {
    const double x = r.high, z = x * x;
    const double series =
        -1.0 / 6 +
        z * (1.0 / 120 +
             z * (-1.0 / 5040 +
                  z * (1.0 / 362880 +
                       z * (-1.0 / 39916800 +
                            z * (1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0)))))));
    return x + (x * z * series + (r.low - 0.5 * z * r.low));
}

double cosine_near_zero(Two r) {
    const double x = r.high, z = x * x;
    const double series =
        1.0 / 24 +
        z * (-1.0 / 720 +
             z * (1.0 / 40320 +
                  z * (-1.0 / 3628800 +
                       z * (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 + z * (1.0 / 20922789888000.0 +
                                                                                 z * (-1.0 / 6402373705728000.0)))))));
    const double half = 0.5 * z, first = 1 - half;
    return first + (((1 - first) - half) + (z * z * series - x * r.low));
}

// The angle of (1, slope) for 0 ≤ slope = small / large ≤ 1, from the nearest eighth: atan q = atan c +
// atan((q−c)/(1+qc)).
double first_octant(double small, double large) {
    constexpr Two at_eighth[] = {{0, 0},
                                 {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                 {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                 {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                 {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                 {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                 {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                 {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                 {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
    const double slope = small / large;
    const int eighth = static_cast<int>(slope * 8 + 0.5);
    const double c = eighth * 0.125;
    const double t = eighth == 0 ? slope : (small - c * large) / (large + c * small);
    const double z = t * t;
    const double series =
        1.0 / 3 - z * (1.0 / 5 - z * (1.0 / 7 - z * (1.0 / 9 - z * (1.0 / 11 - z * (1.0 / 13 - z * (1.0 / 15))))));
    return at_eighth[eighth].high + (at_eighth[eighth].low + (t - t * z * series));
}

double root_of_rest(double x) {  // √(1 − x²)
    return std::sqrt((1 - x) * (1 + x));
}

}  // namespace

SineCosine sine_cosine(double x) {
    if (std::abs(x) < itself) return {x, 1};
    const Reduced r = reduced(x);
    const double s = sine_near_zero(r.angle), c = cosine_near_zero(r.angle);
    switch (r.quarters) {
        case 0:
            return {s, c};
        case 1:
            return {c, -s};
        case 2:
            return {-s, -c};
        default:
            return {-c, s};
    }
}

double sine(double x) {
    if (std::abs(x) < itself) return x;
    const Reduced r = reduced(x);
    const double value = r.quarters & 1 ? cosine_near_zero(r.angle) : sine_near_zero(r.angle);
    return r.quarters & 2 ? -value : value;
}

double cosine(double x) {
    const Reduced r = reduced(x);
    const double value = r.quarters & 1 ? sine_near_zero(r.angle) : cosine_near_zero(r.angle);
    return (r.quarters + 1) & 2 ? -value : value;
}

double tangent(double x) {
    if (std::abs(x) < itself) return x;
    const SineCosine at = sine_cosine(x);
    return at.sine / at.cosine;
}

double angle_of(double y, double x) {
    if (std::isnan(x) || std::isnan(y)) return x + y;
    double small = std::abs(y), large = std::abs(x);
    const bool steep = small > large;
    if (steep) std::swap(small, large);
    constexpr double huge = 0x1p1000, down = 0x1p-100;
    if (large > huge && !std::isinf(large)) {
        small *= down;
        large *= down;
    }
    double angle = 0;
    if (std::isinf(small))
        angle = half_pi / 2;
    else if (small > 0)
        angle = first_octant(small, large);
    if (steep) angle = half_pi - (angle - half_pi_rest);
    if (std::signbit(x)) angle = 2 * half_pi - (angle - 2 * half_pi_rest);
    return std::copysign(angle, y);
}

double arc_sine(double x) {
    if (std::abs(x) < itself) return x;
    return angle_of(x, root_of_rest(x));
}

double arc_cosine(double x) {
    return angle_of(root_of_rest(x), x);
}

}  // namespace sinew::functions
