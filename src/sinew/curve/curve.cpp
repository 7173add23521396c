#include <sinew/curve/curve.h>

#include <sinew/core/check.h>
#include <sinew/curve/bezier.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

bool is_finite(double value) {
    return std::isfinite(value);
}
bool is_finite(const Vec3d& value) {
    return value.allFinite();
}

template <class Value>
const char* problem_of_key(const Keyframe<Value>& key) {
    if (!std::isfinite(key.time) || !is_finite(key.value)) return "has a time or value that is not a number";
    if (!is_finite(key.in_slope) || !is_finite(key.out_slope)) return "has a slope that is not a number";
    if (!std::isfinite(key.in.time) || !std::isfinite(key.out.time) || !is_finite(key.in.value) ||
        !is_finite(key.out.value))
        return "has a handle that is not a number";
    if (key.in.time > 0.0 || key.out.time < 0.0) return "has a handle on the wrong side";
    return nullptr;
}

// A time folded into the keys' range. `rounds` counts the repetitions before it; `backwards`: time runs from the last
// key to the first.
struct Folded {
    double time = 0.0, rounds = 0.0;
    bool backwards = false;
};

template <class Value>
Folded fold(const Curve<Value>& curve, Outside outside, double time) {
    const double first = curve.keys.front().time, length = curve.keys.back().time - first;
    if (length <= 0.0) return {first};
    const double rounds = std::floor((time - first) / length);
    Folded folded{std::clamp(time - rounds * length, first, curve.keys.back().time), rounds};
    if (outside == Outside::ping_pong && std::fmod(rounds, 2.0) != 0.0) {
        folded.time = first + curve.keys.back().time - folded.time;
        folded.backwards = true;
    }
    return folded;
}

template <class Value>
size_t segment_at(const std::vector<Keyframe<Value>>& keys, double time) {
    const auto after = std::upper_bound(keys.begin(), keys.end(), time,
                                        [](double t, const Keyframe<Value>& key) { return t < key.time; });
    const auto segment = static_cast<size_t>(std::max<std::ptrdiff_t>(after - keys.begin() - 1, 0));
    return std::min(segment, keys.size() < 2 ? 0 : keys.size() - 2);
}

template <class Value>
Value inside(const std::vector<Keyframe<Value>>& keys, double time) {
    if (keys.size() == 1 || time <= keys.front().time) return keys.front().value;
    if (time >= keys.back().time) return keys.back().value;
    const size_t k = segment_at(keys, time);
    const Keyframe<Value>&a = keys[k], &b = keys[k + 1];
    const double length = b.time - a.time, u = (time - a.time) / length;
    switch (a.between) {
        case Between::step:
            return a.value;
        case Between::linear:
            return (1.0 - u) * a.value + u * b.value;
        case Between::cubic:
            return hermite<Value>(a.value, length * a.out_slope, b.value, length * b.in_slope, u);
        case Between::bezier:
            return bezier_value(a, b, time);
    }
    return a.value;
}

template <class Value>
Value inside_slope(const std::vector<Keyframe<Value>>& keys, double time) {
    if (keys.size() == 1) return zero_of<Value>();
    const size_t k = segment_at(keys, time);
    const Keyframe<Value>&a = keys[k], &b = keys[k + 1];
    const double length = b.time - a.time, u = std::clamp((time - a.time) / length, 0.0, 1.0);
    switch (a.between) {
        case Between::step:
            return zero_of<Value>();
        case Between::linear:
            return (b.value - a.value) / length;
        case Between::cubic:
            return hermite_slope<Value>(a.value, length * a.out_slope, b.value, length * b.in_slope, u) / length;
        case Between::bezier:
            return bezier_slope(a, b, time);
    }
    return zero_of<Value>();
}

template <class Value>
Outside side_of(const Curve<Value>& curve, double time) {
    if (time < curve.keys.front().time) return curve.before;
    return curve.after;
}

}  // namespace

template <class Value>
Result<void> validate(const Curve<Value>& curve) {
    if (curve.keys.empty()) return fail(ErrorCode::invalid_data, "the curve has no keys");
    for (size_t k = 0; k < curve.keys.size(); ++k) {
        const char* problem = problem_of_key(curve.keys[k]);
        if (!problem && k > 0 && !(curve.keys[k - 1].time < curve.keys[k].time))
            problem = "is not later than the key before it";
        if (problem)
            return fail(ErrorCode::invalid_data, fmt::format("key {} {}", k, problem), fmt::format("key {}", k));
    }
    return {};
}

template <class Value>
Value evaluate(const Curve<Value>& curve, double time) {
    SINEW_CHECK(!curve.keys.empty());
    const auto& keys = curve.keys;
    if (!std::isfinite(time)) time = keys.front().time;
    if (time >= keys.front().time && time <= keys.back().time) return inside(keys, time);
    const Outside outside = side_of(curve, time);
    if (outside == Outside::hold) return inside(keys, time);
    if (outside == Outside::extend) {
        const double end = time < keys.front().time ? keys.front().time : keys.back().time;
        return inside(keys, end) + (time - end) * inside_slope(keys, end);
    }
    const Folded folded = fold(curve, outside, time);
    const Value value = inside(keys, folded.time);
    if (outside != Outside::relative) return value;
    return value + folded.rounds * (keys.back().value - keys.front().value);
}

template <class Value>
Value slope_at(const Curve<Value>& curve, double time) {
    SINEW_CHECK(!curve.keys.empty());
    const auto& keys = curve.keys;
    if (!std::isfinite(time)) time = keys.front().time;
    if (time >= keys.front().time && time <= keys.back().time) return inside_slope(keys, time);
    const Outside outside = side_of(curve, time);
    if (outside == Outside::hold) return zero_of<Value>();
    if (outside == Outside::extend) return inside_slope(keys, time);
    const Folded folded = fold(curve, outside, time);
    return (folded.backwards ? -1.0 : 1.0) * inside_slope(keys, folded.time);
}

template Result<void> validate(const Curve<double>&);
template Result<void> validate(const Curve<Vec3d>&);
template double evaluate(const Curve<double>&, double);
template Vec3d evaluate(const Curve<Vec3d>&, double);
template double slope_at(const Curve<double>&, double);
template Vec3d slope_at(const Curve<Vec3d>&, double);

}  // namespace sinew
