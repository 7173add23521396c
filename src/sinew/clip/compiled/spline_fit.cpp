#include <sinew/clip/compiled/spline_fit.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr size_t band = 4;            // entries of a row of the factor: three neighbours and the diagonal
constexpr double end_weight = 8.0;    // of the first and last sample: segments meet there
constexpr double regularity = 1e-10;  // of the diagonal, so that a point without samples stays put

double sample_weight(size_t i, size_t count) {
    return i == 0 || i + 1 == count ? end_weight : 1.0;
}

}  // namespace

SplineFit::SplineFit(SplineKind spline, int intervals, std::span<const float> places)
    : spline_(spline), intervals_(intervals) {
    const size_t n = static_cast<size_t>(points());
    factor_.assign(n * band, 0.0);
    for (size_t i = 0; i < places.size(); ++i) {
        weights_.push_back(spline_weights(spline, intervals, places[i]));
        const SplineWeights& s = weights_.back();
        for (int a = 0; a < s.count; ++a)
            for (int b = 0; b <= a; ++b)
                factor_[static_cast<size_t>(s.first + a) * band + band - 1 - static_cast<size_t>(a - b)] +=
                    sample_weight(i, places.size()) * s.w[a] * s.w[b];
    }
    // L Lᵀ in place; entry (r, c) of the band is factor[r][band − 1 − (r − c)].
    const auto at = [&](size_t r, size_t c) -> double& { return factor_[r * band + band - 1 - (r - c)]; };
    for (size_t r = 0; r < n; ++r) {
        const size_t first = r >= band - 1 ? r - (band - 1) : 0;
        at(r, r) += regularity * static_cast<double>(places.size());
        for (size_t c = first; c <= r; ++c) {
            double sum = at(r, c);
            for (size_t k = std::max(first, c >= band - 1 ? c - (band - 1) : 0); k < c; ++k) sum -= at(r, k) * at(c, k);
            at(r, c) = c == r ? std::sqrt(std::max(sum, 1e-300)) : sum / at(c, c);
        }
    }
}

void SplineFit::fit(std::span<const std::array<double, 3>> values, Vec3Array& control) const {
    SINEW_ASSERT(values.size() == weights_.size());
    const size_t n = static_cast<size_t>(points());
    control.assign(n, {0, 0, 0});
    for (size_t i = 0; i < values.size(); ++i) {
        const SplineWeights& s = weights_[i];
        for (int a = 0; a < s.count; ++a)
            for (size_t c = 0; c < 3; ++c)
                control[static_cast<size_t>(s.first + a)][c] +=
                    sample_weight(i, values.size()) * static_cast<double>(s.w[a]) * values[i][c];
    }
    const auto at = [&](size_t r, size_t c) { return factor_[r * band + band - 1 - (r - c)]; };
    for (size_t r = 0; r < n; ++r)
        for (size_t c = 0; c < 3; ++c) {
            double sum = control[r][c];
            for (size_t k = r >= band - 1 ? r - (band - 1) : 0; k < r; ++k) sum -= at(r, k) * control[k][c];
            control[r][c] = sum / at(r, r);
        }
    for (size_t r = n; r-- > 0;)
        for (size_t c = 0; c < 3; ++c) {
            double sum = control[r][c];
            for (size_t k = r + 1; k < std::min(n, r + band); ++k) sum -= at(k, r) * control[k][c];
            control[r][c] = sum / at(r, r);
        }
}

}  // namespace sinew
