#include <sinew/sets/clean/smooth_curve.h>

#include <sinew/motion/plant/banded.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr int penalty_order = 3;  // of smoothing: jerk
constexpr int fill_order = 2;     // of filling: acceleration. Jerk runs on with what speed and turn it had: too far
constexpr double differences[4][4] = {{1}, {-1, 1}, {1, -2, 1}, {-1, 3, -3, 1}};

// What D³ makes of the frequency f, squared.
double penalty_gain(double f) {
    return std::pow(2.0 * std::sin(std::numbers::pi * f), 2 * penalty_order);
}

double median_of(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// The noise of one channel as the differences of one order see it; negative where there are too few of them.
double noise_by_difference(const Signal& signal, Eigen::Index channel, const std::vector<char>& known, int order) {
    constexpr size_t fewest = 8;
    constexpr double deviations_per_median = 1.4826;  // of a normal distribution
    std::vector<double> coefficients = {1.0};
    for (int k = 0; k < order; ++k) {
        coefficients.push_back(0.0);
        for (size_t i = coefficients.size() - 1; i > 0; --i) coefficients[i] -= coefficients[i - 1];
    }
    double power = 0;
    for (const double c : coefficients) power += c * c;
    const auto span = static_cast<Eigen::Index>(coefficients.size());
    const Eigen::Map<const Eigen::VectorXd> weights(coefficients.data(), span);
    std::vector<double> sizes;
    for (Eigen::Index f = 0; f + span <= signal.rows(); ++f) {
        const auto first = known.begin() + f;
        if (!std::all_of(first, first + span, [](char k) { return k != 0; })) continue;
        sizes.push_back(std::abs(weights.dot(signal.col(channel).segment(f, span))));
    }
    if (sizes.size() < fewest) return -1.0;
    return deviations_per_median * median_of(sizes) / std::sqrt(power);
}

Signal solve_smooth(const Signal& signal, const std::vector<char>& known, double lambda, size_t order) {
    const auto n = static_cast<size_t>(signal.rows());
    BandedSystem system(n, order);
    for (size_t f = 0; f < n; ++f) system.add(f, f, known[f] ? 1.0 : 0.0);
    for (size_t f = 0; f + order < n; ++f)
        for (size_t a = 0; a <= order; ++a)
            for (size_t b = 0; b <= a; ++b)
                system.add(f + a, f + b, lambda * differences[order][a] * differences[order][b]);
    if (!system.factor()) return signal;
    Signal out = signal;
    for (Eigen::Index c = 0; c < out.cols(); ++c) {
        for (size_t f = 0; f < n; ++f)
            if (!known[f]) out(static_cast<Eigen::Index>(f), c) = 0.0;
        system.solve({out.col(c).data(), n});
    }
    return out;
}

bool has_known(const std::vector<char>& known, size_t count) {
    return static_cast<size_t>(std::ranges::count_if(known, [](char k) { return k != 0; })) >= count;
}

}  // namespace

double noise_level(const Signal& signal, const std::vector<char>& known) {
    // Noise looks alike to all orders; a motion looks the smaller the higher the order.
    constexpr int lowest_order = 4, highest_order = 9;
    double power = 0;
    for (Eigen::Index c = 0; c < signal.cols(); ++c) {
        double level = -1.0;
        for (int order = lowest_order; order <= highest_order; ++order) {
            const double seen = noise_by_difference(signal, c, known, order);
            if (seen >= 0.0) level = level < 0.0 ? seen : std::min(level, seen);
        }
        power += std::max(level, 0.0) * std::max(level, 0.0);
    }
    return std::sqrt(power);
}

Signal smoothed_curve(const Signal& signal, const std::vector<char>& known, double cutoff) {
    if (signal.rows() <= penalty_order || !has_known(known, penalty_order)) return signal;
    constexpr double lowest = 1e-4;  // beyond it the numbers grow out of hand
    return solve_smooth(signal, known, 1.0 / penalty_gain(std::clamp(cutoff, lowest, 0.5)), penalty_order);
}

double smoothing_freedom(double cutoff, Eigen::Index frames) {
    constexpr int steps = 200;
    const double lambda = 1.0 / penalty_gain(cutoff);
    double freedom = 0;
    for (int k = 0; k < steps; ++k)
        freedom += static_cast<double>(frames) / steps / (1.0 + lambda * penalty_gain(0.5 * (k + 0.5) / steps));
    return freedom;
}

double best_cutoff(const Signal& signal, const std::vector<char>& known, double noise) {
    constexpr double lowest = 0.008, highest = 0.5, ratio = 1.2;  // 1 Hz to 60 Hz at 120 frames a second
    const auto n = static_cast<double>(std::ranges::count_if(known, [](char k) { return k != 0; }));
    if (!(noise > 0.0) || n <= penalty_order) return highest;
    constexpr double worth = 0.8;  // of the noise's power may be left, or a motion is blurred for nothing
    double best = highest, least = worth * n * noise * noise;
    for (double cutoff = lowest; cutoff < highest; cutoff *= ratio) {
        const double lambda = 1.0 / penalty_gain(cutoff);
        const Signal smooth = solve_smooth(signal, known, lambda, penalty_order);
        double residual = 0;
        for (Eigen::Index f = 0; f < signal.rows(); ++f)
            if (known[static_cast<size_t>(f)]) residual += (signal.row(f) - smooth.row(f)).squaredNorm();
        const double freedom = smoothing_freedom(cutoff, static_cast<Eigen::Index>(n));
        const double risk = residual + noise * noise * (2.0 * freedom - n);
        if (risk < least) {
            least = risk;
            best = cutoff;
        }
    }
    return best;
}

void fill_unknown(Signal& signal, const std::vector<char>& known) {
    if (std::ranges::all_of(known, [](char k) { return k != 0; }) || !has_known(known, penalty_order + 1)) return;
    constexpr double stiff = 1e-7;  // the known samples hardly move, and are kept as they are
    const Signal filled = solve_smooth(signal, known, stiff, fill_order);
    for (Eigen::Index f = 0; f < signal.rows(); ++f)
        if (!known[static_cast<size_t>(f)]) signal.row(f) = filled.row(f);
}

}  // namespace sinew
