// Curve: keyframes, and the value between them. A curve is keys and nothing else; the ways to shape one (tangents.h)
// only fill in the keys' slopes. Data flow: an animator, tangents.h → *here* → clips, plots.
#pragma once

#include <sinew/core/result.h>
#include <sinew/math/types.h>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sinew {

// Nothing, as a number or as a vector: what values and slopes are before they are set.
template <class Value>
Value zero_of() {
    if constexpr (std::is_arithmetic_v<Value>)
        return Value(0);
    else
        return Value::Zero();
}

// What a curve does from one key to the next.
//   step    holds the value until the next key
//   linear  a straight line
//   cubic   the Hermite cubic that leaves with this key's out_slope and arrives with the next key's in_slope
//   bezier  the same with handles, as animation editors draw them
enum class Between : uint8_t { step, linear, cubic, bezier };

// The end of a tangent as seen from its key: seconds, and change of value.
template <class Value>
struct CurveHandle {
    double time = 0.0;
    Value value = zero_of<Value>();
};

template <class Value>
struct Keyframe {
    double time = 0.0;
    Value value = zero_of<Value>();
    Between between = Between::cubic;                                 // from here to the next key
    Value in_slope = zero_of<Value>(), out_slope = zero_of<Value>();  // cubic: change per second, before and after
    CurveHandle<Value> in, out;  // bezier: in.time ≤ 0 ≤ out.time. A handle that goes beyond the neighbouring key
                                 // is shortened to it, so that time never runs backwards
};

// What a curve does outside its keys. relative repeats and goes on from where the last round ended, as a walk does.
enum class Outside : uint8_t { hold, extend, repeat, ping_pong, relative };

// Value is double or Vec3d. Keys are in order of time.
template <class Value>
struct Curve {
    std::vector<Keyframe<Value>> keys;
    Outside before = Outside::hold, after = Outside::hold;
};

// Proves what the calls below rely on: at least one key, times strictly increasing, everything finite, handles that
// point away from each other. `where` names the key.
template <class Value>
Result<void> validate(const Curve<Value>& curve);

// The value at a time, and its change per second. A key belongs to the segment that it begins. A time that is not a
// number counts as the first key's. O(log keys).
template <class Value>
Value evaluate(const Curve<Value>& curve, double time);
template <class Value>
Value slope_at(const Curve<Value>& curve, double time);

// The Hermite cubic on [0, 1] with slopes in units of u, and its derivative: what `cubic` means.
template <class Value>
Value hermite(const Value& value0, const Value& slope0, const Value& value1, const Value& slope1, double u) {
    const double u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * value0 + (u3 - 2 * u2 + u) * slope0 + (3 * u2 - 2 * u3) * value1 +
           (u3 - u2) * slope1;
}
template <class Value>
Value hermite_slope(const Value& value0, const Value& slope0, const Value& value1, const Value& slope1, double u) {
    return 6 * (u * u - u) * (value0 - value1) + (3 * u * u - 4 * u + 1) * slope0 + (3 * u * u - 2 * u) * slope1;
}

}  // namespace sinew
