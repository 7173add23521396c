#include <sinew/math/functions/functions.h>
#include <sinew/math/functions/two.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sinew::functions {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
constexpr double ln2_first = 0x1.62e42feep-1, ln2_rest = 0x1.a39ef35793c76p-33;  // the first has 32 bits
constexpr double ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56;
constexpr double per_ln2 = 0x1.71547652b82fep+0, per_ln10 = 0x1.bcb7b1526e50ep-2;

double whole(double x) {
    constexpr double large = 0x1.8p52;  // added and taken off again, it rounds to whole numbers
    return (x + large) - large;
}

// (eʳ − 1 − r) / r² for |r| ≤ ln 2 / 2.
double exponential_series(double r) {
    return 1.0 / 2 +
           r * (1.0 / 6 +
                r * (1.0 / 24 +
                     r * (1.0 / 120 +
                          r * (1.0 / 720 +
                               r * (1.0 / 5040 +
                                    r * (1.0 / 40320 +
                                         r * (1.0 / 362880 +
                                              r * (1.0 / 3628800 +
                                                   r * (1.0 / 39916800 +
                                                        r * (1.0 / 479001600.0 + r * (1.0 / 6227020800.0)))))))))));
}

// 2ⁿ · v, for v near 1.
double scaled(double v, int n) {
    constexpr int least = -1000, most = 1000;
    if (n < least || n > most) return std::ldexp(v, n);
    return v * std::bit_cast<double>(static_cast<uint64_t>(n + 1023) << 52);
}

// e^(high + low).
double exponential_of(Two x) {
    constexpr double most = 710, least = -746;  // beyond, nothing is left of a double
    if (x.high > most) return infinity;
    if (x.high < least) return 0;
    const double n = whole(x.high * per_ln2);
    const Two rest = sum(x.high - n * ln2_first, x.low - n * ln2_rest);
    const double r = rest.high;
    return scaled(1 + (r + (r * r * exponential_series(r) + rest.low)), static_cast<int>(n));
}

// x = 2^exponent · (1 + part), 1 + part between √½ and √2; for x > 0.
struct Parts {
    int exponent;
    double part;
};
Parts parts_of(double x) {
    int exponent = 0;
    constexpr double normal = 0x1p-1022;
    if (x < normal) {
        x *= 0x1p54;
        exponent = -54;
    }
    constexpr uint64_t root_half = 0x3fe6a09e667f3bcd;  // √½
    const uint64_t bits = std::bit_cast<uint64_t>(x), off = bits - root_half;
    exponent += static_cast<int>(static_cast<int64_t>(off) >> 52);
    return {exponent, std::bit_cast<double>((off & 0x000fffffffffffff) + root_half) - 1};
}

// log((1 + s) / (1 − s)) / (2 s) − 1, of z = s².
double logarithm_series(double z) {
    return z *
           (1.0 / 3 +
            z * (1.0 / 5 +
                 z * (1.0 / 7 +
                      z * (1.0 / 9 +
                           z * (1.0 / 11 +
                                z * (1.0 / 13 + z * (1.0 / 15 + z * (1.0 / 17 + z * (1.0 / 19 + z * (1.0 / 21))))))))));
}

// log(1 + f), to a last bit.
double logarithm_near_one(double f) {
    const double s = f / (2 + f), half = 0.5 * f * f;
    return f - (half - s * (half + 2 * logarithm_series(s * s)));
}

// log x to some 2⁻⁶⁰ of itself.
Two long_logarithm(double x) {
    const auto [exponent, f] = parts_of(x);
    const Two below = sum(2, f);
    const double s = f / below.high;
    const Two back = product(s, below.high);
    const double rest = (((f - back.high) - back.low) - s * below.low) / below.high;
    const double series = logarithm_series(s * s);
    const Two near = fast_sum(2 * s, 2 * rest + 2 * s * series);
    return Two{ln2_high, ln2_low} * exponent + near;
}

// Where a logarithm is no number; 0 where it is one.
double unusual_logarithm(double x) {
    if (x == 0) return -infinity;
    if (x < 0) return none;
    return std::isfinite(x) ? 0 : x;
}

bool is_whole(double y) {
    return std::floor(y) == y;
}
bool is_odd(double y) {
    return is_whole(y) && std::abs(y) < 0x1p53 && std::fmod(y, 2) != 0;
}

// |x|^y where one of them is zero, infinite or none; `negative` where the sign of x stays.
double unusual_power(double x, double y, bool negative) {
    if (std::isnan(x) || std::isnan(y)) return none;
    const double size = std::abs(x);
    if (std::isinf(y)) return size == 1 ? 1 : (size > 1) == (y > 0) ? infinity : 0;
    const double result = (size == 0) == (y > 0) ? 0 : infinity;
    return negative ? -result : result;
}

}  // namespace

double exponential(double x) {
    return std::isnan(x) ? x : exponential_of({x, 0});
}

double power_of_two(double x) {
    if (std::isnan(x)) return x;
    constexpr double most = 1025, least = -1076;
    if (x > most) return infinity;
    if (x < least) return 0;
    const double n = whole(x), r = (x - n) * ln2_high;
    return scaled(1 + (r + r * r * exponential_series(r)), static_cast<int>(n));
}

double logarithm(double x) {
    if (!(x > 0) || std::isinf(x)) return unusual_logarithm(x);
    const auto [exponent, f] = parts_of(x);
    const double near = logarithm_near_one(f);
    return exponent * ln2_first + (near + exponent * ln2_rest);
}

double logarithm2(double x) {
    if (!(x > 0) || std::isinf(x)) return unusual_logarithm(x);
    const auto [exponent, f] = parts_of(x);
    return exponent + logarithm_near_one(f) * per_ln2;
}

double logarithm10(double x) {
    const double value = logarithm(x) * per_ln10;
    // Powers of ten have the whole number that they are.
    const double n = std::round(value);
    constexpr double near = 1e-12, most = 22;  // 10²² is the last that a double holds
    if (std::abs(value - n) < near && n >= 0 && n <= most && power(10, n) == x) return n;
    return value;
}

double power(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (y == 1) return x;
    if (y == 2) return x * x;  // as compilers write it, and the next line too
    if (y == -1) return 1 / x;
    const bool negative = std::signbit(x) && is_odd(y);
    if (x == 0 || !std::isfinite(x) || !std::isfinite(y)) return unusual_power(x, y, negative);
    if (x < 0 && !is_whole(y)) return none;
    constexpr double largest = 0x1p+80;  // of y: the result is 0, 1 or infinite long before, and products stay finite
    const double steps = std::abs(y) > largest ? std::copysign(largest, y) : y;
    const double size = exponential_of(long_logarithm(std::abs(x)) * steps);
    return negative ? -size : size;
}

double hyperbolic_tangent(double x) {
    constexpr double small = 0.15, one = 20;
    const double size = std::abs(x);
    if (size < small) {
        const double r = 2 * x, less = r + r * r * exponential_series(r);
        return x == 0 ? x : less / (less + 2);
    }
    if (size > one) return std::copysign(1.0, x);
    const double e = exponential(2 * size);
    return std::copysign((e - 1) / (e + 1), x);
}

double cube_root(double x) {
    if (x == 0 || !std::isfinite(x)) return x;
    const auto [exponent, part] = parts_of(std::abs(x));
    const int third = (exponent + 3000) / 3 - 1000;  // rounded down
    const double rest = std::ldexp(1 + part, exponent - 3 * third);
    double r = 0.55 + 0.45 * rest - 0.04 * rest * rest;  // within a tenth between √½ and 4√2
    for (int i = 0; i < 3; ++i) {                        // Halley's step: three times as many digits each time
        const double cube = r * r * r;
        r *= (cube + 2 * rest) / (2 * cube + rest);
    }
    const Two cube = product(r, r) * r;  // and Newton's, of what the last digits lack
    r += ((rest - cube.high) - cube.low) / (3 * r * r);
    return std::copysign(std::ldexp(r, third), x);
}

double length(double x, double y) {
    if (std::isinf(x) || std::isinf(y)) return infinity;
    const double large = std::fmax(std::abs(x), std::abs(y));
    constexpr double huge = 0x1p500, tiny = 0x1p-450;
    if (large > huge) return std::ldexp(length(std::ldexp(x, -600), std::ldexp(y, -600)), 600);
    if (large < tiny && large > 0) return std::ldexp(length(std::ldexp(x, 600), std::ldexp(y, 600)), -600);
    return std::sqrt(x * x + y * y);
}

}  // namespace sinew::functions
