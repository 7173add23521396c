#include <sinew/clip/compiled/encode_item.h>

#include <sinew/clip/compiled/code_items.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double chart_edge = -0.8;     // of the chart's component: beyond, its numbers grow past 3
constexpr double fit_share = 0.93;      // of the tolerance that the spline may take before its numbers are rounded
constexpr int worse_before_stop = 2;    // splines with more knots that cost more, before the search ends
constexpr int steps_tried = 40;         // ten octaves
constexpr double head_bits = 8.0;       // of an item: its knots, step and chart, as they change from segment to segment
constexpr double farthest_code = 1e12;  // from zero, in steps
constexpr int ranks_back = 3;           // where a search begins, before where the last one ended

uint8_t width_index(uint32_t largest) {
    uint8_t i = 0;
    while (i + 1u < lane_widths.size() && largest >> lane_widths[i] != 0) ++i;
    return i;
}

uint8_t step_code(double step) {
    const double code = std::ceil(64.0 - 4.0 * std::log2(std::max(step, 1e-14)));
    return static_cast<uint8_t>(std::clamp(code, 0.0, 255.0));
}

double turn_between(const double* xyzw, const Quatd& wanted) {
    const double dot = xyzw[0] * wanted.x() + xyzw[1] * wanted.y() + xyzw[2] * wanted.z() + xyzw[3] * wanted.w();
    // The chord of two unit quaternions is half their angle, to second order; ahead of it, so no angle is missed.
    const double chord = std::sqrt(std::max(0.0, 2.0 - 2.0 * std::abs(dot)));
    return 2.0 * chord * (1.0 + chord * chord / 16.0);
}

void chart_to_quaternion(int chart, const std::array<double, 3>& p, double* xyzw) {
    const double r = 2.0 / (1.0 + p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    xyzw[chart] = r - 1.0;
    for (int i = 0; i < 3; ++i) xyzw[(chart + 1 + i) & 3] = r * p[static_cast<size_t>(i)];
}

double value_error(const ItemTarget& target, size_t i, const std::array<double, 3>& v) {
    if (target.kind == ItemKind::rotation) {
        double xyzw[4];
        chart_to_quaternion(target.chart, v, xyzw);
        return turn_between(xyzw, target.rotations[i]);
    }
    const std::array<double, 3>& wanted = target.values[i];
    const double x = std::abs(v[0] - wanted[0]), y = std::abs(v[1] - wanted[1]), z = std::abs(v[2] - wanted[2]);
    return target.kind == ItemKind::floats ? std::max({x, y, z}) : std::sqrt(x * x + y * y + z * z);
}

std::array<double, 3> spline_at(const SplineWeights& s, const Vec3Array& control) {
    std::array<double, 3> v{};
    for (int k = 0; k < s.count; ++k)
        for (size_t c = 0; c < 3; ++c)
            v[c] += static_cast<double>(s.w[k]) * control[static_cast<size_t>(s.first + k)][c];
    return v;
}

}  // namespace

double EncodedItem::bytes() const {
    return (head_bits + code_bits(*this)) / 8.0;
}

bool set_codes(EncodedItem& item, std::span<const std::array<int64_t, item_components>> codes) {
    item.codes.resize(codes.size());
    for (size_t c = 0; c < item_components; ++c) {
        int64_t least = codes[0][c];
        for (const auto& code : codes) least = std::min(least, code[c]);
        item.lowest[c] = least;
        item.base[c] = static_cast<float>(static_cast<double>(step_of(item.step)) * static_cast<double>(least));
        uint32_t largest = 0;
        for (size_t k = 0; k < codes.size(); ++k) {
            if (codes[k][c] - least >= int64_t{1} << lane_widths.back()) return false;
            item.codes[k][c] = static_cast<uint32_t>(codes[k][c] - least);
            largest = std::max(largest, item.codes[k][c]);
        }
        item.widths[c] = width_index(largest);
    }
    return true;
}

bool to_chart(ItemTarget& target) {
    const size_t count = target.rotations.size(), middle = count / 2;
    Eigen::Index chart = 0;
    target.rotations[middle].coeffs().cwiseAbs().maxCoeff(&chart);
    target.chart = static_cast<int>(chart);
    if (target.rotations[middle].coeffs()[chart] < 0) target.rotations[middle].coeffs() *= -1.0;
    const auto follow = [&](size_t i, size_t before) {
        if (target.rotations[i].dot(target.rotations[before]) < 0) target.rotations[i].coeffs() *= -1.0;
    };
    for (size_t i = middle + 1; i < count; ++i) follow(i, i - 1);
    for (size_t i = middle; i-- > 0;) follow(i, i + 1);
    target.values.resize(count);
    for (size_t i = 0; i < count; ++i) {
        const auto& q = target.rotations[i].coeffs();
        if (q[chart] < chart_edge) return false;
        for (int c = 0; c < 3; ++c)
            target.values[i][static_cast<size_t>(c)] = q[(chart + 1 + c) & 3] / (1.0 + q[chart]);
    }
    return true;
}

bool ItemEncoder::quantise(const SplineFit& fit, const ItemTarget& target, uint8_t step, EncodedItem& item) {
    item.kind = target.kind, item.chart = target.chart;
    item.spline = fit.spline(), item.intervals = fit.intervals(), item.step = step;
    steps_.resize(control_.size());
    const double size = static_cast<double>(step_of(step));
    for (size_t k = 0; k < control_.size(); ++k)
        for (size_t c = 0; c < 3; ++c) {
            const double code = std::round(control_[k][c] / size);
            if (!(std::abs(code) < farthest_code)) return false;
            steps_[k][c] = static_cast<int64_t>(code);
        }
    return set_codes(item, steps_);
}

// The largest error at any sample; stops where it passes `stop_at`.
double ItemEncoder::error(const SplineFit& fit, const ItemTarget& target, const EncodedItem& item, double stop_at) {
    const double step = static_cast<double>(step_of(item.step));
    double worst = 0.0;
    decoded.resize(fit.weights().size());
    for (size_t i = 0; i < fit.weights().size(); ++i) {
        const SplineWeights& s = fit.weights()[i];
        std::array<double, 3> v{};
        for (int k = 0; k < s.count; ++k) {
            const auto& code = item.codes[static_cast<size_t>(s.first + k)];
            for (size_t c = 0; c < 3; ++c) v[c] += static_cast<double>(s.w[k]) * code[c];
        }
        for (size_t c = 0; c < 3; ++c) v[c] = static_cast<double>(item.base[c]) + step * v[c];
        worst = std::max(worst, value_error(target, i, v));
        if (worst > stop_at) return worst;
        if (target.kind == ItemKind::rotation) {
            double xyzw[4];
            chart_to_quaternion(target.chart, v, xyzw);
            for (size_t c = 0; c < 4; ++c) decoded[i][c] = static_cast<float>(xyzw[c]);
        } else {
            for (size_t c = 0; c < 3; ++c) decoded[i][c] = static_cast<float>(v[c]);
        }
    }
    return worst;
}

// Whether the spline alone keeps the tolerance. What fails mostly fails in many places: a few of them, far apart, are
// looked at first.
bool ItemEncoder::fits_within(const SplineFit& fit, const ItemTarget& target, double tolerance) const {
    constexpr size_t apart = 7;
    const size_t count = fit.weights().size();
    for (size_t first = 0; first < std::min(apart, count); ++first)
        for (size_t i = first; i < count; i += apart)
            if (value_error(target, i, spline_at(fit.weights()[i], control_)) > tolerance) return false;
    return true;
}

// The coarsest step that keeps the tolerance, searched from item.step on.
bool ItemEncoder::find_step(const SplineFit& fit, const ItemTarget& target, double tolerance, EncodedItem& item) {
    EncodedItem trial = item;
    const auto passes = [&](int step) {
        return step >= 0 && step < 256 && quantise(fit, target, static_cast<uint8_t>(step), trial) &&
               error(fit, target, trial, tolerance) <= tolerance;
    };
    int step = item.step;
    if (passes(step)) {
        while (std::swap(item, trial), item.widths != std::array<uint8_t, 3>{} && passes(step - 1)) --step;
        return true;
    }
    for (int tries = 0; tries < steps_tried && step < 255; ++tries)
        if (passes(++step)) return std::swap(item, trial), true;
    return false;
}

bool encode_constant(const ItemTarget& target, double tolerance, EncodedItem& item) {
    item.kind = target.kind, item.chart = target.chart;
    item.spline = SplineKind::constant, item.intervals = 0;
    for (int step = step_code(2.0 * tolerance); step < 256; ++step) {
        item.step = static_cast<uint8_t>(step);
        std::array<std::array<int64_t, 3>, 1> code{};
        for (size_t c = 0; c < 3; ++c) {
            const double steps = std::round(target.values[0][c] / static_cast<double>(step_of(item.step)));
            if (!(std::abs(steps) < farthest_code)) return false;
            code[0][c] = static_cast<int64_t>(steps);
        }
        set_codes(item, code);
        if (value_error(target, 0, {item.base[0], item.base[1], item.base[2]}) <= tolerance) return true;
    }
    return false;
}

Transform constant_part(const EncodedItem& item) {
    Transform part;
    const Vec3 value(item.base[0], item.base[1], item.base[2]);
    if (item.kind == ItemKind::rotation)
        from_chart(item.chart, item.base.data(), part.rotation.coeffs().data());
    else
        (item.kind == ItemKind::scale ? part.scale : part.translation) = value;
    return part;
}

bool ItemEncoder::encode(const ItemTarget& target, double tolerance, EncodedItem& item) {
    EncodedItem best, trial;
    double best_bytes = INFINITY;
    int worse = 0;
    const int first = std::max(0, item.rank - ranks_back);
    const double unit =
        target.kind == ItemKind::rotation ? 0.25 : 1.0;  // a chart's numbers grow by a quarter of the angle
    for (int rank = first; rank < static_cast<int>(fits.size()) && worse < worse_before_stop; ++rank) {
        const SplineFit& fit = fits[static_cast<size_t>(rank)];
        fit.fit(target.values, control_);
        if (!fits_within(fit, target, fit_share * tolerance)) continue;
        // Steps change little from one spline to the next, and from one round to the next.
        trial.step = !best.codes.empty() ? best.step : !item.codes.empty() ? item.step : step_code(tolerance * unit);
        if (!find_step(fit, target, tolerance, trial)) continue;
        const double bytes = trial.bytes();
        if (bytes < best_bytes)
            best = trial, best.rank = rank, best_bytes = bytes, worse = 0;
        else
            ++worse;
    }
    if (best.codes.empty()) return false;
    best.id = item.id;
    item = std::move(best);
    error(fits[static_cast<size_t>(item.rank)], target, item, INFINITY);  // fills `decoded`
    return true;
}

}  // namespace sinew
