#include <sinew/curve/ease.h>

#include <sinew/core/check.h>
#include <sinew/curve/tangents.h>
#include <algorithm>
#include <array>

namespace sinew {

// The speed rises from 0 to s, stays, and falls to 0. The area under it is 1: s · (1 − in/2 − out/2) = 1.
double ease(double u, double in, double out) {
    u = std::clamp(u, 0.0, 1.0);
    const double speed = 1.0 / (1.0 - 0.5 * (in + out));
    if (u < in) return 0.5 * speed * u * u / in;
    if (u > 1.0 - out) return 1.0 - 0.5 * speed * (1.0 - u) * (1.0 - u) / out;
    return speed * (u - 0.5 * in);
}

double ease_slope(double u, double in, double out) {
    if (u < 0.0 || u > 1.0) return 0.0;
    const double speed = 1.0 / (1.0 - 0.5 * (in + out));
    if (u < in) return speed * u / in;
    if (u > 1.0 - out) return speed * (1.0 - u) / out;
    return speed;
}

Curve<double> slow_in_out(double duration, double strength) {
    const std::array<double, 2> ends = {0.0, duration};
    Curve<double> warp = make_curve<double>(ends, ends);
    for (auto& key : warp.keys) key.in_slope = key.out_slope = 1.0 - std::clamp(strength, 0.0, 1.0);
    return warp;
}

double invert_warp(const Curve<double>& warp, double value) {
    SINEW_CHECK(!warp.keys.empty());
    double low = warp.keys.front().time, high = warp.keys.back().time;
    if (value <= warp.keys.front().value) return low;
    if (value >= warp.keys.back().value) return high;
    // Halving: a warp may be level, where Newton's method has no step. 64 halvings reach the last bit.
    for (int i = 0; i < 64; ++i) {
        const double middle = 0.5 * (low + high);
        (evaluate(warp, middle) < value ? low : high) = middle;
    }
    return high;
}

}  // namespace sinew
