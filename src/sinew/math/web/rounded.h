// Sine, cosine and their kin, rounded correctly (but for one argument in some 10⁵, whose value lies that close to the middle
// of two doubles). C libraries differ in the last bit of these functions, and solvers make more of it; the one of a PC is
// nearly always right, so a browser's core that is right as well writes the same files.
// Data flow: x → two doubles of which the second is what the first lacks → one double. Used by libm.cpp beside it.
#pragma once

#include <cmath>
#include <cstdint>

namespace sinew::rounded {

// The sum of both, unevaluated; |low| is at most half of the last bit of high.
struct Two {
    double high = 0, low = 0;
};

inline Two fast_sum(double a, double b) {  // |a| ≥ |b|
    const double s = a + b;
    return {s, b - (s - a)};
}
inline Two sum(double a, double b) {  // [Knuth1969]
    const double s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}
inline Two product(double a, double b) {  // [Dekker1971]: there is no fused multiply-add in a browser
    constexpr double splitter = 134217729.0;  // 2²⁷ + 1
    const double p = a * b, ca = splitter * a, cb = splitter * b;
    const double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}
inline Two operator+(Two a, Two b) {
    const Two s = sum(a.high, b.high);
    return fast_sum(s.high, s.low + (a.low + b.low));
}
inline Two operator-(Two a) {
    return {-a.high, -a.low};
}
inline Two operator-(Two a, Two b) {
    return a + -b;
}
inline Two operator*(Two a, Two b) {
    const Two p = product(a.high, b.high);
    return fast_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
inline Two operator/(Two a, Two b) {
    const double q = a.high / b.high;
    const Two rest = a - b * Two{q, 0};
    return fast_sum(q, (rest.high + rest.low) / b.high);
}
inline Two square_root(Two a) {
    if (a.high <= 0) return {std::sqrt(a.high), 0};
    const double r = std::sqrt(a.high);
    const Two rest = a - product(r, r);
    return fast_sum(r, (rest.high + rest.low) / (2 * r));
}
inline double value(Two a) {
    return a.high + a.low;
}

struct SineCosine {
    Two sine, cosine;
};

// For |r| up to π/4. Terms below 2⁻²² of the whole need one double only.
inline SineCosine near_zero(Two r) {
    constexpr Two sixth = {-0x1.5555555555555p-3, -0x1.5555555555555p-57}, s5 = {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                  s7 = {-0x1.a01a01a01a01ap-13, -0x1.a01a01a01a01ap-73},
                  s9 = {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73};
    constexpr double s11 = -0x1.ae64567f544e4p-26, s13 = 0x1.6124613a86d09p-33, s15 = -0x1.ae7f3e733b81fp-41,
                     s17 = 0x1.952c77030ad4ap-49, s19 = -0x1.2f49b46814157p-57;
    constexpr Two c4 = {0x1.5555555555555p-5, 0x1.5555555555555p-59}, c6 = {-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65},
                  c8 = {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76};
    constexpr double c10 = -0x1.27e4fb7789f5cp-22, c12 = 0x1.1eed8eff8d898p-29, c14 = -0x1.93974a8c07c9dp-37,
                     c16 = 0x1.ae7f3e733b81fp-45, c18 = -0x1.6827863b97d97p-53, c20 = 0x1.e542ba4020225p-62;
    const Two z = r * r;
    const double h = z.high;
    const double sine_rest = s11 + h * (s13 + h * (s15 + h * (s17 + h * s19)));
    const double cosine_rest = c10 + h * (c12 + h * (c14 + h * (c16 + h * (c18 + h * c20))));
    const Two s = sixth + z * (s5 + z * (s7 + z * (s9 + z * Two{sine_rest, 0})));
    const Two c = Two{-0.5, 0} + z * (c4 + z * (c6 + z * (c8 + z * Two{cosine_rest, 0})));
    return {r + r * z * s, Two{1, 0} + z * c};
}

constexpr double most_reduced = 1 << 20;  // of |x|: quarter turns times the parts of π/2 stay exact enough

// Which quarter x lies in (counted from −π/4), and both functions there. |x| ≤ most_reduced.
inline SineCosine sine_cosine(Two x) {
    // π/2 in three doubles, to 2⁻¹⁶¹.
    constexpr double half_pi = 0x1.921fb54442d18p+0, second = 0x1.1a62633145c07p-54, third = -0x1.f1976b7ed8fbcp-110;
    const double turns = std::nearbyint(x.high * 0x1.45f306dc9c883p-1);
    const Two first = product(turns, half_pi), next = product(turns, second);
    // x and the first product nearly cancel: what is left of them is exact.
    const Two left = sum(x.high, -first.high), rest = sum(-first.low, x.low);
    Two r = left + rest;
    r = r - next;
    r = r + Two{-turns * third, 0};
    const SineCosine at = near_zero(r);
    switch (static_cast<int32_t>(turns) & 3) {
        case 0: return at;
        case 1: return {at.cosine, -at.sine};
        case 2: return {-at.sine, -at.cosine};
        default: return {-at.cosine, at.sine};
    }
}

inline double sine(double x) {
    constexpr double itself = 0x1p-27;  // below, x³/6 is no half of a last bit
    if (std::abs(x) < itself) return x;
    return value(sine_cosine({x, 0}).sine);
}
inline double cosine(double x) {
    return value(sine_cosine({x, 0}).cosine);
}
inline double tangent(double x) {
    constexpr double itself = 0x1p-27;
    if (std::abs(x) < itself) return x;
    const SineCosine at = sine_cosine({x, 0});
    return value(at.sine / at.cosine);
}

// The angle of the vector (x, y), neither of which is 0 or out of the middle of a double's range, from the angle in
// single precision: (cos φ₀, sin φ₀) turned back by it is nearly (r, 0), and what is left is a small angle.
inline double angle(Two y, Two x) {
    const double largest = std::fmax(std::abs(x.high), std::abs(y.high));
    const double guess = std::atan2(static_cast<float>(y.high / largest), static_cast<float>(x.high / largest));
    const SineCosine at = sine_cosine({guess, 0});
    const Two across = y * at.cosine - x * at.sine, along = x * at.cosine + y * at.sine;
    const double small = value(across) / value(along);
    return guess + (small - small * small * small / 3);
}

}  // namespace sinew::rounded
