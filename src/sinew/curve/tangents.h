// Tangents: the splines that go through keys, each as a choice of the keys' slopes.
// Data flow: times and values → *here* → Curve.
//
//   I want                                         call                        it is    it reproduces
//   a smooth curve that moves only near a change   set_cardinal_slopes         C¹       parabolas (tension 0)
//   an animator's three knobs per key              set_kochanek_bartels        C¹ (continuity 0)
//   the smoothest curve; all of it moves           set_natural_spline          C²       straight lines
//   the same with given end slopes                 set_clamped_spline          C²       cubics
//   the same for a cycle                           set_periodic_spline         C², also across the seam
//   nothing beyond the keys' values                set_monotone_slopes         C¹       rises where the keys rise
#pragma once

#include <sinew/curve/curve.h>
#include <span>

namespace sinew {

// Keys with these times and values, cubic, with level slopes. Sizes are equal.
template <class Value>
Curve<Value> make_curve(std::span<const double> times, std::span<const Value> values, Between between = Between::cubic);

// Each slope is that of the parabola through the key and its neighbours, times 1 − tension. Tension 0 is Catmull-Rom,
// also for uneven times; tension 1 is level at the keys.
template <class Value>
void set_cardinal_slopes(Curve<Value>& curve, double tension = 0.0);

// [Kochanek1984]. Tension: sharper (1) or rounder (−1). Continuity other than 0 makes a corner. Bias: overshoot after
// the key (1) or before it (−1). All 0 on even times is Catmull-Rom. One knob setting for all keys, or one per key.
struct TensionContinuityBias {
    double tension = 0.0, continuity = 0.0, bias = 0.0;
};
template <class Value>
void set_kochanek_bartels(Curve<Value>& curve, const TensionContinuityBias& all);
template <class Value>
void set_kochanek_bartels_each(Curve<Value>& curve, std::span<const TensionContinuityBias> per_key);

// The splines with continuous second derivative: one tridiagonal solve, O(keys). Natural: not bent at its ends.
template <class Value>
void set_natural_spline(Curve<Value>& curve);
template <class Value>
void set_clamped_spline(Curve<Value>& curve, const Value& first_slope, const Value& last_slope);
// The last key is taken for the first one of the next round: their values should be equal, or differ by what
// Outside::relative adds. Needs three keys; with fewer the slopes are those of the chord.
template <class Value>
void set_periodic_spline(Curve<Value>& curve);

// [Fritsch1980]: level at peaks, and never beyond the values of the two keys around it. Editors call it "auto clamped".
void set_monotone_slopes(Curve<double>& curve);

// The polynomial of degree keys − 1 through all keys (Lagrange). Here to be compared with: it moves everywhere when one
// key moves, and swings wildly between many keys (Runge's example, docs/curves.md). Do not animate with it.
double evaluate_lagrange(const Curve<double>& curve, double time);

}  // namespace sinew
