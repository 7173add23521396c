#include <sinew/sets/clean/filters.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace sinew {
namespace {

struct Biquad {
    double b0, b1, b2, a1, a2;
};

// The bilinear transform of 1 / (s² + √2 s + 1).
Biquad low_pass(double cutoff, double fps) {
    const double w = std::tan(std::numbers::pi * cutoff / fps), q = std::numbers::sqrt2 * w;
    const double norm = 1.0 / (1.0 + q + w * w);
    return {w * w * norm, 2.0 * w * w * norm, w * w * norm, 2.0 * (w * w - 1.0) * norm, (1.0 - q + w * w) * norm};
}

// Starts as if the first value had lasted for ever.
void run_biquad(const Biquad& k, std::vector<double>& x) {
    double x1 = x.front(), x2 = x1, y1 = x1, y2 = x1;
    for (double& value : x) {
        const double y = k.b0 * value + k.b1 * x1 + k.b2 * x2 - k.a1 * y1 - k.a2 * y2;
        x2 = x1, x1 = value, y2 = y1, y1 = y;
        value = y;
    }
}

double one_euro_share(double cutoff, double fps) {
    const double r = 2.0 * std::numbers::pi * cutoff / fps;
    return r / (r + 1.0);
}

}  // namespace

void butterworth(std::span<double> curve, double cutoff, double fps) {
    if (curve.size() < 2 || !(cutoff > 0.0) || cutoff >= 0.5 * fps) return;
    // Passing twice halves the gain where one pass has 1/√2, so the cut-off stays where it is asked for.
    constexpr double ring = 3.0;  // periods of the cut-off after which the filter has forgotten its start
    const auto pad = std::min(curve.size() - 1, static_cast<size_t>(std::ceil(ring * fps / cutoff)));
    std::vector<double> x;
    x.reserve(curve.size() + 2 * pad);
    for (size_t i = pad; i > 0; --i) x.push_back(2.0 * curve.front() - curve[i]);
    x.insert(x.end(), curve.begin(), curve.end());
    for (size_t i = 1; i <= pad; ++i) x.push_back(2.0 * curve.back() - curve[curve.size() - 1 - i]);
    const Biquad filter = low_pass(cutoff, fps);
    for (int pass = 0; pass < 2; ++pass) {
        run_biquad(filter, x);
        std::ranges::reverse(x);
    }
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(pad), curve.size(), curve.begin());
}

void one_euro(std::span<double> curve, const OneEuro& filter, double fps) {
    if (curve.empty()) return;
    double shown = curve.front(), before = curve.front(), speed = 0.0;
    for (double& value : curve) {
        const double raw = value;
        speed += one_euro_share(filter.derivative_cutoff, fps) * ((raw - before) * fps - speed);
        shown += one_euro_share(filter.cutoff + filter.beta * std::abs(speed), fps) * (raw - shown);
        before = raw;
        value = shown;
    }
}

}  // namespace sinew
