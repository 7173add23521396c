#include <sinew/curve/tangents.h>

#include <sinew/core/check.h>
#include <sinew/curve/tridiagonal.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The chords between keys: their lengths in time, and their slopes.
template <class Value>
struct Chords {
    std::vector<double> length;
    std::vector<Value> slope;
    explicit Chords(const std::vector<Keyframe<Value>>& keys) {
        for (size_t k = 0; k + 1 < keys.size(); ++k) {
            length.push_back(keys[k + 1].time - keys[k].time);
            slope.push_back((keys[k + 1].value - keys[k].value) / length.back());
        }
    }
};

template <class Value>
void set_both(Keyframe<Value>& key, const Value& slope) {
    key.between = Between::cubic;
    key.in_slope = key.out_slope = slope;
}

// Curves of one key have no slope, those of two the chord's.
template <class Value>
bool set_short_curve(Curve<Value>& curve, double scale = 1.0) {
    auto& keys = curve.keys;
    if (keys.size() > 2) return false;
    Value slope = zero_of<Value>();
    if (keys.size() == 2) slope = scale * (keys[1].value - keys[0].value) / (keys[1].time - keys[0].time);
    for (auto& key : keys) set_both(key, slope);
    return true;
}

// Continuous second derivatives at the inner keys, as equations in the slopes m:
//   m[k−1]/h[k−1] + 2 (1/h[k−1] + 1/h[k]) m[k] + m[k+1]/h[k] = 3 (c[k−1]/h[k−1] + c[k]/h[k])
// where h are the chords' lengths and c their slopes. The caller states the first and the last equation.
template <class Value>
struct SlopeEquations {
    std::vector<double> below, diagonal, above;
    std::vector<Value> right;
    explicit SlopeEquations(const Chords<Value>& chords) {
        const size_t n = chords.length.size() + 1;
        below.assign(n, 0.0);
        diagonal.assign(n, 1.0);
        above.assign(n, 0.0);
        right.assign(n, zero_of<Value>());
        for (size_t k = 1; k + 1 < n; ++k) {
            const double h0 = chords.length[k - 1], h1 = chords.length[k];
            below[k] = 1.0 / h0;
            diagonal[k] = 2.0 * (1.0 / h0 + 1.0 / h1);
            above[k] = 1.0 / h1;
            right[k] = 3.0 * (chords.slope[k - 1] / h0 + chords.slope[k] / h1);
        }
    }
    void solve_into(std::vector<Keyframe<Value>>& keys) {
        solve_tridiagonal(below, diagonal, above, right);
        for (size_t k = 0; k < keys.size(); ++k) set_both(keys[k], right[k]);
    }
};

}  // namespace

template <class Value>
Curve<Value> make_curve(std::span<const double> times, std::span<const Value> values, Between between) {
    SINEW_CHECK(times.size() == values.size());
    Curve<Value> curve;
    for (size_t k = 0; k < times.size(); ++k) {
        curve.keys.emplace_back();
        curve.keys.back().time = times[k];
        curve.keys.back().value = values[k];
        curve.keys.back().between = between;
    }
    return curve;
}

template <class Value>
void set_cardinal_slopes(Curve<Value>& curve, double tension) {
    const double scale = 1.0 - tension;
    if (set_short_curve(curve, scale)) return;
    auto& keys = curve.keys;
    const Chords<Value> c(keys);
    const size_t last = keys.size() - 1;
    for (size_t k = 0; k <= last; ++k) {
        // The parabola through three keys; at the ends it is that of the key beside.
        const size_t middle = std::clamp<size_t>(k, 1, last - 1);
        const double h0 = c.length[middle - 1], h1 = c.length[middle];
        const Value inner = (h1 * c.slope[middle - 1] + h0 * c.slope[middle]) / (h0 + h1);
        const Value slope = k == 0      ? Value(2.0 * c.slope[0] - inner)
                            : k == last ? Value(2.0 * c.slope[last - 1] - inner)
                                        : inner;
        set_both<Value>(keys[k], scale * slope);
    }
}

template <class Value>
void set_kochanek_bartels_each(Curve<Value>& curve, std::span<const TensionContinuityBias> per_key) {
    auto& keys = curve.keys;
    SINEW_CHECK(per_key.size() == keys.size());
    if (set_short_curve(curve)) return;
    const size_t last = keys.size() - 1;
    for (size_t k = 0; k <= last; ++k) {
        const auto [t, c, b] = per_key[k];
        // Beyond the ends the curve is thought to go on straight.
        const size_t before = k > 0 ? k - 1 : 0, after = std::min(k, last - 1);
        const Value rise0 = keys[before + 1].value - keys[before].value,
                    rise1 = keys[after + 1].value - keys[after].value;
        const double h0 = keys[before + 1].time - keys[before].time, h1 = keys[after + 1].time - keys[after].time;
        // [Kochanek1984 eq. 8, 9] with the correction for uneven times: both are per (h0 + h1) / 2.
        const double scale = (1.0 - t) / (h0 + h1);
        keys[k].between = Between::cubic;
        keys[k].in_slope = scale * ((1 - c) * (1 + b) * rise0 + (1 + c) * (1 - b) * rise1);
        keys[k].out_slope = scale * ((1 + c) * (1 + b) * rise0 + (1 - c) * (1 - b) * rise1);
    }
}

template <class Value>
void set_kochanek_bartels(Curve<Value>& curve, const TensionContinuityBias& all) {
    set_kochanek_bartels_each<Value>(curve, std::vector<TensionContinuityBias>(curve.keys.size(), all));
}

template <class Value>
void set_natural_spline(Curve<Value>& curve) {
    if (set_short_curve(curve)) return;
    const Chords<Value> chords(curve.keys);
    SlopeEquations<Value> system(chords);
    const size_t last = curve.keys.size() - 1;
    system.diagonal[0] = system.diagonal[last] = 2.0;
    system.above[0] = system.below[last] = 1.0;
    system.right[0] = 3.0 * chords.slope.front();
    system.right[last] = 3.0 * chords.slope.back();
    system.solve_into(curve.keys);
}

template <class Value>
void set_clamped_spline(Curve<Value>& curve, const Value& first_slope, const Value& last_slope) {
    if (curve.keys.size() < 2) {
        set_short_curve(curve);
        return;
    }
    SlopeEquations<Value> system{Chords<Value>(curve.keys)};
    system.right.front() = first_slope;
    system.right.back() = last_slope;
    system.solve_into(curve.keys);
}

// The equations are tridiagonal but for the two corners that close the round. The corners are a matrix of rank one, so
// the solution is that of the open system plus a multiple of a second one (Sherman–Morrison).
template <class Value>
void set_periodic_spline(Curve<Value>& curve) {
    if (set_short_curve(curve)) return;
    auto& keys = curve.keys;
    const Chords<Value> chords(keys);
    const size_t n = keys.size() - 1;  // the last key is the first one again
    std::vector<double> below(n), diagonal(n), above(n), corner(n, 0.0);
    std::vector<Value> right(n);
    for (size_t k = 0; k < n; ++k) {
        const size_t before = (k + n - 1) % n;
        below[k] = 1.0 / chords.length[before];
        above[k] = 1.0 / chords.length[k];
        diagonal[k] = 2.0 * (below[k] + above[k]);
        right[k] = 3.0 * (chords.slope[before] * below[k] + chords.slope[k] * above[k]);
    }
    const double first = below[0], last = above[n - 1];  // the corners
    if (n == 2) {                                        // both neighbours are the same key
        const double a = diagonal[0], b = above[0] + below[0], c = above[1] + below[1], d = diagonal[1];
        const Value x = (d * right[0] - b * right[1]) / (a * d - b * c);
        right[1] = (a * right[1] - c * right[0]) / (a * d - b * c);
        right[0] = x;
    } else {
        const double gamma = -diagonal[0];
        diagonal[0] -= gamma;
        diagonal[n - 1] -= first * last / gamma;
        corner[0] = gamma;
        corner[n - 1] = last;
        solve_tridiagonal(below, diagonal, above, right);
        solve_tridiagonal(below, diagonal, above, corner);
        const Value share =
            (right[0] + first / gamma * right[n - 1]) / (1.0 + corner[0] + first / gamma * corner[n - 1]);
        for (size_t k = 0; k < n; ++k) right[k] -= corner[k] * share;
    }
    for (size_t k = 0; k <= n; ++k) set_both(keys[k], right[k % n]);
}

void set_monotone_slopes(Curve<double>& curve) {
    if (set_short_curve(curve)) return;
    auto& keys = curve.keys;
    const Chords<double> c(keys);
    set_both(keys.front(), c.slope.front());
    set_both(keys.back(), c.slope.back());
    for (size_t k = 1; k + 1 < keys.size(); ++k) {
        const double d0 = c.slope[k - 1], d1 = c.slope[k], h0 = c.length[k - 1], h1 = c.length[k];
        // The weighted harmonic mean of the chords; level where they point to different sides.
        const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
        set_both(keys[k], d0 * d1 > 0.0 ? (w0 + w1) / (w0 / d0 + w1 / d1) : 0.0);
    }
}

double evaluate_lagrange(const Curve<double>& curve, double time) {
    const auto& keys = curve.keys;
    double sum = 0.0;
    for (size_t i = 0; i < keys.size(); ++i) {
        double weight = 1.0;
        for (size_t j = 0; j < keys.size(); ++j)
            if (j != i) weight *= (time - keys[j].time) / (keys[i].time - keys[j].time);
        sum += weight * keys[i].value;
    }
    return sum;
}

#define SINEW_INSTANTIATE(Value)                                                                    \
    template Curve<Value> make_curve(std::span<const double>, std::span<const Value>, Between);     \
    template void set_cardinal_slopes(Curve<Value>&, double);                                       \
    template void set_kochanek_bartels(Curve<Value>&, const TensionContinuityBias&);                \
    template void set_kochanek_bartels_each(Curve<Value>&, std::span<const TensionContinuityBias>); \
    template void set_natural_spline(Curve<Value>&);                                                \
    template void set_clamped_spline(Curve<Value>&, const Value&, const Value&);                    \
    template void set_periodic_spline(Curve<Value>&);
SINEW_INSTANTIATE(double)
SINEW_INSTANTIATE(Vec3d)
#undef SINEW_INSTANTIATE

}  // namespace sinew
