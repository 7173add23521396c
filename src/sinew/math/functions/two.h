// A number as the sum of two doubles, of which the second is what the first lacks.
#pragma once

namespace sinew::functions {

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
inline Two product(double a, double b) {      // [Dekker1971]: without a fused multiply-add, which a browser lacks
    constexpr double splitter = 134217729.0;  // 2²⁷ + 1
    const double p = a * b, ca = splitter * a, cb = splitter * b;
    const double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}
inline Two operator+(Two a, Two b) {
    const Two s = sum(a.high, b.high);
    return fast_sum(s.high, s.low + (a.low + b.low));
}
inline Two operator*(Two a, double b) {
    const Two p = product(a.high, b);
    return fast_sum(p.high, p.low + a.low * b);
}

}  // namespace sinew::functions
