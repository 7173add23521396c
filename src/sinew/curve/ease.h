// Timing: slow in and out, and time warps p(t) = f(w(t)): the same path at another pace.
// Data flow: a curve and a warp → *here* → clip/edit.
#pragma once

#include <sinew/curve/curve.h>

namespace sinew {

// From 0 to 1 while u goes from 0 to 1, held outside. Speeds up evenly during the first `in` of the way, keeps its
// speed, and slows down evenly during the last `out` (parabolas and a line, C¹). in + out ≤ 1; both 0 is the line
// itself.
double ease(double u, double in, double out);
double ease_slope(double u, double in, double out);

// A warp that takes [0, duration] onto itself with slow in and out: speed 1 − strength at both ends, strength in [0,
// 1]. Strength 0 is the identity. Monotone: time never runs backwards.
Curve<double> slow_in_out(double duration, double strength);

// f(w(t)) and its slope w'(t) · f'(w(t)).
template <class Value>
Value evaluate_warped(const Curve<Value>& curve, const Curve<double>& warp, double time) {
    return evaluate(curve, evaluate(warp, time));
}
template <class Value>
Value slope_warped(const Curve<Value>& curve, const Curve<double>& warp, double time) {
    return slope_at(warp, time) * slope_at(curve, evaluate(warp, time));
}

// The time at which a warp that only rises reaches `value`, within its keys. Exact to rounding.
double invert_warp(const Curve<double>& warp, double value);

}  // namespace sinew
