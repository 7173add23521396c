#include <sinew/curve/bezier.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double bezier_time(double first, double second, double u) {
    const double v = 1.0 - u;
    return 3 * v * v * u * first + 3 * v * u * u * second + u * u * u;
}

double bezier_time_slope(double first, double second, double u) {
    const double v = 1.0 - u;
    return 3 * v * v * first + 6 * v * u * (second - first) + 3 * u * u * (1.0 - second);
}

// A handle no longer than the way to the other key.
template <class Value>
CurveHandle<Value> shortened(CurveHandle<Value> handle, double length) {
    const double reach = std::abs(handle.time);
    if (reach <= length) return handle;
    const double scale = length / reach;
    return {handle.time * scale, handle.value * scale};
}

// The four control points of a segment: times from 0 to 1, values as they are.
template <class Value>
struct BezierSegment {
    double first, second, length;
    Value value[4];
    BezierSegment(const Keyframe<Value>& a, const Keyframe<Value>& b) : length(b.time - a.time) {
        const CurveHandle<Value> out = shortened(a.out, length), in = shortened(b.in, length);
        first = std::clamp(out.time / length, 0.0, 1.0);
        second = std::clamp(1.0 + in.time / length, 0.0, 1.0);
        value[0] = a.value;
        value[1] = a.value + out.value;
        value[2] = b.value + in.value;
        value[3] = b.value;
    }
    double parameter(double share) const { return bezier_parameter(first, second, share); }
};

}  // namespace

double bezier_parameter(double first, double second, double time) {
    if (!(time > 0.0)) return 0.0;
    if (time >= 1.0) return 1.0;
    double low = 0.0, high = 1.0, u = time, last_step = 1.0;
    // Newton's steps; halving where one would leave the bracket or is not half as long as the last. Two hundred reach
    // any double.
    for (int i = 0; i < 200; ++i) {
        const double error = bezier_time(first, second, u) - time;
        if (error == 0.0) break;
        (error > 0.0 ? high : low) = u;
        const double next = u - error / bezier_time_slope(first, second, u);
        const bool good = next > low && next < high && std::abs(next - u) < 0.5 * std::abs(last_step);
        const double target = good ? next : 0.5 * (low + high);
        last_step = target - u;
        if (target == u) break;
        u = target;
    }
    return u;
}

template <class Value>
Value bezier_value(const Keyframe<Value>& a, const Keyframe<Value>& b, double time) {
    const BezierSegment<Value> segment(a, b);
    const double u = segment.parameter((time - a.time) / segment.length), v = 1.0 - u;
    const Value* p = segment.value;
    return v * v * v * p[0] + 3 * v * v * u * p[1] + 3 * v * u * u * p[2] + u * u * u * p[3];
}

template <class Value>
Value bezier_slope(const Keyframe<Value>& a, const Keyframe<Value>& b, double time) {
    const BezierSegment<Value> segment(a, b);
    // At a handle of no length both derivatives vanish; their quotient a hair beside it is the slope.
    constexpr double hair = 1e-7;
    const double u = std::clamp(segment.parameter((time - a.time) / segment.length), hair, 1.0 - hair), v = 1.0 - u;
    const Value* p = segment.value;
    const Value rise = 3 * v * v * (p[1] - p[0]) + 6 * v * u * (p[2] - p[1]) + 3 * u * u * (p[3] - p[2]);
    constexpr double steepest = 1e-12;
    const double run = std::max(bezier_time_slope(segment.first, segment.second, u), steepest) * segment.length;
    return rise / run;
}

template <class Value>
void set_handles_from_slopes(Curve<Value>& curve) {
    auto& keys = curve.keys;
    for (size_t k = 0; k < keys.size(); ++k) {
        const double before = k > 0 ? (keys[k].time - keys[k - 1].time) / 3.0 : 0.0;
        const double after = k + 1 < keys.size() ? (keys[k + 1].time - keys[k].time) / 3.0 : 0.0;
        keys[k].in = {-before, -before * keys[k].in_slope};
        keys[k].out = {after, after * keys[k].out_slope};
        if (keys[k].between == Between::cubic) keys[k].between = Between::bezier;
    }
}

template double bezier_value(const Keyframe<double>&, const Keyframe<double>&, double);
template Vec3d bezier_value(const Keyframe<Vec3d>&, const Keyframe<Vec3d>&, double);
template double bezier_slope(const Keyframe<double>&, const Keyframe<double>&, double);
template Vec3d bezier_slope(const Keyframe<Vec3d>&, const Keyframe<Vec3d>&, double);
template void set_handles_from_slopes(Curve<double>&);
template void set_handles_from_slopes(Curve<Vec3d>&);

}  // namespace sinew
