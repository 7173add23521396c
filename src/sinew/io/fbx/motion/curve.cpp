#include <sinew/io/fbx/motion/curve.h>
#include <algorithm>
#include <cmath>

namespace sinew::fbx {
namespace {

double bezier(double u, double a, double b, double c, double d) {
    const double v = 1 - u;
    return v * v * v * a + 3 * u * v * v * b + 3 * u * u * v * c + u * u * u * d;
}

// Where on a Bezier segment from 0 to 1, with inner points x1 and x2, the given x lies. Newton's method, kept inside
// of a bracket: x grows with u because 0 ≤ x1, x2 ≤ 1.
double parameter_at(double x, double x1, double x2) {
    double low = 0, high = 1, u = x;
    constexpr int most_steps = 60;
    constexpr double close_enough = 1e-12;
    for (int step = 0; step < most_steps; ++step) {
        const double error = bezier(u, 0, x1, x2, 1) - x;
        if (std::abs(error) < close_enough) break;
        (error > 0 ? high : low) = u;
        const double v = 1 - u;
        const double slope = 3 * v * v * x1 + 6 * u * v * (x2 - x1) + 3 * u * u * (1 - x2);
        const double next = slope > 0 ? u - error / slope : low;
        u = next > low && next < high ? next : 0.5 * (low + high);
    }
    return u;
}

double cubic_at(const Key& a, const Key& b, double time) {
    const double width = b.time - a.time;
    const double x1 = std::clamp(a.right_weight, 0.0, 1.0), x2 = 1 - std::clamp(b.left_weight, 0.0, 1.0);
    const double u = parameter_at((time - a.time) / width, x1, x2);
    return bezier(u, a.value, a.value + a.right_slope * x1 * width, b.value - b.left_slope * (1 - x2) * width, b.value);
}

}  // namespace

double Curve::at(double time) const {
    if (keys.empty()) return 0;
    if (keys.size() == 1) return keys[0].value;
    return time < keys.front().time || time > keys.back().time ? outside(time) : inside(time);
}

double Curve::inside(double time) const {
    const auto after_time = [](double t, const Key& key) { return t < key.time; };
    const auto next = std::upper_bound(keys.begin(), keys.end(), time, after_time);
    if (next == keys.begin()) return keys.front().value;
    const Key& a = *(next - 1);
    if (next == keys.end() || time == a.time) return a.value;
    switch (a.mode) {
        case KeyMode::constant:
            return a.value;
        case KeyMode::constant_next:
            return next->value;
        case KeyMode::linear:
            return a.value + (next->value - a.value) * (time - a.time) / (next->time - a.time);
        case KeyMode::cubic:
            break;
    }
    return cubic_at(a, *next, time);
}

double Curve::outside(double time) const {
    const bool is_before = time < keys.front().time;
    const Key& end = is_before ? keys.front() : keys.back();
    const Extrapolation& how = is_before ? before : after;
    using Mode = Extrapolation::Mode;
    if (how.mode == Mode::constant || (how.times == 0 && how.mode != Mode::slope)) return end.value;
    if (how.mode == Mode::slope) return end.value + (time - end.time) * (is_before ? end.right_slope : end.left_slope);
    const double length = keys.back().time - keys.front().time;
    const double beyond = is_before ? end.time - time : time - end.time;
    double round = std::floor(beyond / length), into = beyond - round * length;
    if (how.times > 0 && round >= double(how.times)) {
        round = double(how.times - 1);
        into = length;
    }
    if (how.mode == Mode::mirror && std::fmod(round, 2.0) == 0) into = length - into;
    if (is_before) into = length - into;
    double value = inside(std::clamp(keys.front().time + into, keys.front().time, keys.back().time));
    if (how.mode == Mode::repeat_onward) {
        const double gain = keys.back().value - keys.front().value;
        value += (is_before ? -gain : gain) * (round + 1);
    }
    return value;
}

void Curve::add_corners(double begin, double end, size_t most, std::vector<double>& times) const {
    if (keys.empty()) return;
    const double first = keys.front().time, last = keys.back().time;
    const double length = last - first;
    const auto add_all = [&](double shift, bool mirrored) {
        for (const Key& key : keys) {
            const double time = shift + (mirrored ? last - (key.time - first) : key.time);
            if (time >= begin && time <= end && times.size() < most) times.push_back(time);
        }
    };
    add_all(0, false);
    const auto repeats = [&](const Extrapolation& how, double direction, double span) {
        using Mode = Extrapolation::Mode;
        if (how.mode == Mode::constant || how.mode == Mode::slope || !(length > 0)) return;
        const double rounds =
            how.times >= 0 ? std::min(double(how.times), std::ceil(span / length)) : std::ceil(span / length);
        for (double r = 1; r <= rounds && times.size() < most; ++r)
            add_all(direction * r * length, how.mode == Mode::mirror && std::fmod(r, 2.0) == 1);
    };
    if (end > last) repeats(after, 1, end - last);
    if (begin < first) repeats(before, -1, first - begin);
}

double auto_slope(const std::vector<Key>& keys, size_t key, const AutoSlope& how) {
    constexpr double same_value = 0.001;      // of the unit of the curve: keys this close count as level
    constexpr double absolute_bias = 500;     // percent; beyond it the bias adds to the slope
    constexpr double absolute_strength = 40;  // per (100 percent)²
    const bool has_previous = key > 0, has_next = key + 1 < keys.size();
    if (!has_previous && !has_next) return 0;
    const Key& now = keys[key];
    const Key& previous = has_previous ? keys[key - 1] : now;
    const Key& next = has_next ? keys[key + 1] : now;
    const bool at_end = !has_previous || !has_next;
    if (at_end && how.clamp_progressive) return 0;
    if (how.clamp) {
        const double left = std::abs(previous.value - now.value), right = std::abs(next.value - now.value);
        const double nearer = !has_previous ? right : !has_next ? left : std::min(left, right);
        if (nearer <= same_value) return 0;
    }
    const double whole = (next.value - previous.value) / (next.time - previous.time);
    double slope = whole, towards = how.bias;
    if (!at_end && !how.time_independent) {
        const double left = (now.value - previous.value) / (now.time - previous.time);
        const double right = (next.value - now.value) / (next.time - now.time);
        const double share = (now.time - previous.time) / (next.time - previous.time);
        slope = 0.5 * (whole + left + share * (right - left));
        const double target = how.bias > 0 ? right : left;
        const double pull = std::abs(how.bias) / 100;
        if (std::abs(target - slope) > 1e-5) towards = target - slope;
        slope += pull * (target - slope);
    }
    if (!how.time_independent && std::abs(how.bias) > absolute_bias) {
        const double excess = (std::abs(how.bias) - absolute_bias) / 100;
        slope += std::copysign(excess * excess * absolute_strength, towards);
    }
    if (!at_end && how.clamp_progressive) {
        // In the slope's direction neither tangent may end beyond its neighbour.
        const double sign = slope < 0 ? -1 : 1;
        const auto most = [sign](double rise, double range) {
            const double limit = range > 0 ? sign * rise / range : 0;
            return limit > 0 ? limit : 0;
        };
        const double left = most(now.value - previous.value, now.left_weight * (now.time - previous.time));
        const double right = most(next.value - now.value, now.right_weight * (next.time - now.time));
        slope = sign * std::min({sign * slope, left, right});
    }
    return std::isfinite(slope) ? slope : 0;
}

}  // namespace sinew::fbx
