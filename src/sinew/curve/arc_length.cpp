#include <sinew/curve/arc_length.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// Five-point Gauss–Legendre: exact for polynomials of degree nine.
double length_between(const Curve<Vec3d>& curve, double from, double to) {
    constexpr std::array<double, 5> node = {0.0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                                            -0.9061798459386640};
    constexpr std::array<double, 5> weight = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                                              0.2369268850561891, 0.2369268850561891};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = 0.0;
    for (size_t i = 0; i < node.size(); ++i) sum += weight[i] * slope_at(curve, middle + half * node[i]).norm();
    return half * sum;
}

}  // namespace

ArcLength measure_arc_length(const Curve<Vec3d>& curve, int pieces) {
    SINEW_CHECK(!curve.keys.empty() && pieces > 0);
    ArcLength arc{{curve.keys.front().time}, {0.0}};
    for (size_t k = 0; k + 1 < curve.keys.size(); ++k) {
        const double from = curve.keys[k].time, step = (curve.keys[k + 1].time - from) / pieces;
        for (int i = 1; i <= pieces; ++i) {
            const double to = i == pieces ? curve.keys[k + 1].time : from + i * step;
            arc.length.push_back(arc.length.back() + length_between(curve, arc.time.back(), to));
            arc.time.push_back(to);
        }
    }
    return arc;
}

double time_at_distance(const Curve<Vec3d>& curve, const ArcLength& arc, double distance) {
    SINEW_CHECK(!arc.time.empty() && arc.time.size() == arc.length.size());
    if (!(distance > 0.0)) return arc.time.front();
    if (distance >= arc.total()) return arc.time.back();
    const auto after = std::upper_bound(arc.length.begin(), arc.length.end(), distance);
    const auto piece = static_cast<size_t>(after - arc.length.begin()) - 1;
    const double start = arc.time[piece], wanted = distance - arc.length[piece];
    double low = start, high = arc.time[piece + 1];
    double time = low + (high - low) * wanted / (arc.length[piece + 1] - arc.length[piece]);
    // Newton's method; the bracket catches it where the speed is near zero.
    for (int i = 0; i < 60; ++i) {
        const double error = length_between(curve, start, time) - wanted;
        constexpr double good_enough = 1e-13;  // of the whole length
        if (std::abs(error) <= good_enough * arc.total()) break;
        (error > 0.0 ? high : low) = time;
        const double next = time - error / slope_at(curve, time).norm();
        time = next > low && next < high ? next : 0.5 * (low + high);
    }
    return time;
}

Vec3d evaluate_at_share(const Curve<Vec3d>& curve, const ArcLength& arc, double u) {
    return evaluate(curve, time_at_distance(curve, arc, u * arc.total()));
}

}  // namespace sinew
