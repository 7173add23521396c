#include <sinew/physics/integrate/integrator.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// [DormandPrince1980]: where the stages stand, what each takes of those before it, and the two results' difference.
constexpr int stages = 7;
constexpr std::array<double, stages> dp_time = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr std::array<std::array<double, stages>, stages> dp_take = {{
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
}};
constexpr std::array<double, stages> dp_error = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                                 -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// A step grows and shrinks by no more than this, and aims a little below the tolerance, as [DormandPrince1980] advise.
constexpr double most_growth = 5.0, most_shrink = 0.2, caution = 0.9, error_order = 5.0;
// A step below this share of the time is lost in rounding.
constexpr double least_share = 1e-14;

struct DormandPrince {
    const Forces& forces;
    std::span<const double> mass;
    std::array<std::vector<double>, stages> kx, kv;
    std::vector<double> x, v;

    DormandPrince(const Forces& f, std::span<const double> m) : forces(f), mass(m), x(m.size()), v(m.size()) {
        for (auto* all : {&kx, &kv})
            for (auto& k : *all) k.resize(m.size());
    }

    // Leaves the result in x, v; returns the error in units of the tolerance.
    double attempt(const MotionState& from, double h, double tolerance) {
        for (size_t s = 0; s < stages; ++s) {
            for (size_t i = 0; i < mass.size(); ++i) {
                x[i] = from.x[i], v[i] = from.v[i];
                for (size_t k = 0; k < s; ++k)
                    x[i] += h * dp_take[s][k] * kx[k][i], v[i] += h * dp_take[s][k] * kv[k][i];
            }
            kx[s] = v;
            forces.force(from.time + dp_time[s] * h, x, v, kv[s]);
            for (size_t i = 0; i < mass.size(); ++i) kv[s][i] /= mass[i];
        }
        double worst = 0.0;
        for (size_t i = 0; i < mass.size(); ++i) {
            double ex = 0.0, ev = 0.0;
            for (size_t s = 0; s < stages; ++s) ex += h * dp_error[s] * kx[s][i], ev += h * dp_error[s] * kv[s][i];
            worst = std::max(worst, std::abs(ex) / (tolerance * (1.0 + std::abs(x[i]))));
            worst = std::max(worst, std::abs(ev) / (tolerance * (1.0 + std::abs(v[i]))));
            if (!std::isfinite(ex) || !std::isfinite(ev)) return INFINITY;
        }
        return worst;
    }
};

}  // namespace

AdaptiveReport advance_adaptive(const Forces& forces, std::span<const double> masses, double until, double tolerance,
                                MotionState& state) {
    AdaptiveReport report;
    DormandPrince pair(forces, masses);
    double h = std::min(until - state.time, std::pow(tolerance, 1.0 / error_order));
    while (state.time < until) {
        h = std::min(h, until - state.time);
        if (h < least_share * (1.0 + std::abs(state.time)) && h < until - state.time)
            return report.finished = false, report;
        const double error = pair.attempt(state, h, tolerance);
        if (error <= 1.0) {
            state.x = pair.x, state.v = pair.v;
            state.time = h < until - state.time ? state.time + h : until;
            ++report.steps;
        } else {
            ++report.refused;
        }
        h *= std::clamp(caution * std::pow(std::max(error, 1e-12), -1.0 / error_order), most_shrink, most_growth);
    }
    return report;
}

}  // namespace sinew
