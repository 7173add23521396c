// Bézier segments between keys with handles. Time is a cubic of the parameter too, so it is solved for first.
// Data flow: two keys of a curve → *here* → curve.h.
#pragma once

#include <sinew/curve/curve.h>

namespace sinew {

// The parameter u in [0, 1] at which the time cubic 0, first, second, 1 reaches `time`; first and second in [0, 1], so
// that the cubic only rises. Exact to rounding.
double bezier_parameter(double first, double second, double time);

// Value and slope between two keys, a.time ≤ time ≤ b.time. A vertical handle has an endless slope: the result is then
// large and finite.
template <class Value>
Value bezier_value(const Keyframe<Value>& a, const Keyframe<Value>& b, double time);
template <class Value>
Value bezier_slope(const Keyframe<Value>& a, const Keyframe<Value>& b, double time);

// The cubic keys as Bézier keys: handles a third of the way to the neighbours. The curve does not change.
template <class Value>
void set_handles_from_slopes(Curve<Value>& curve);

}  // namespace sinew
