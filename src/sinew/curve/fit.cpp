#include <sinew/curve/fit.h>

#include <sinew/core/check.h>
#include <sinew/curve/tridiagonal.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double size_of(double value) {
    return std::abs(value);
}
template <int n>
double size_of(const Eigen::Matrix<double, n, 1>& value) {
    return value.norm();
}

// How much of the tolerance the choice of keys may use up. The rest is for making the slopes equal on both sides of a
// key: at 0.6 most keys become smooth, for about a seventh more keys.
constexpr double share_for_keys = 0.6;

template <class Value>
struct Samples {
    std::span<const double> times;
    std::span<const Value> values;
    double tolerance;
    std::span<const double> tolerances;
    bool lines, smooth, free;  // straight from key to key; equal slopes at a key; keys off the samples
    // What is fitted is the line through the samples: at half steps from `from`, samples and the middles between them.
    double half_time(size_t from, size_t half) const {
        const size_t i = from + half / 2;
        return half % 2 == 0 ? times[i] : 0.5 * (times[i] + times[i + 1]);
    }
    Value half_value(size_t from, size_t half) const {
        const size_t i = from + half / 2;
        return half % 2 == 0 ? values[i] : Value(0.5 * (values[i] + values[i + 1]));
    }
    double at(size_t sample) const { return tolerances.empty() ? tolerance : std::max(tolerances[sample], 0.0); }
};

// One cubic from sample `from` to sample `to`, with the values of its ends.
template <class Value>
struct Piece {
    size_t from = 0, to = 0;
    Value slope0 = zero_of<Value>(), slope1 = zero_of<Value>();
    Value value0 = zero_of<Value>(), value1 = zero_of<Value>();
};

// An upper bound of the distance between the cubic and the lines between the samples, or of its ratio to the
// tolerance. It is measured at the samples and midway; from one of these places to the next, h apart, a cubic leaves
// its own chord by at most h²/8 times its largest second derivative, which it has at one of the two. Stops early beyond
// `enough`.
template <class Value>
double piece_error(const Samples<Value>& s, const Piece<Value>& piece, double enough, bool as_ratio) {
    const double start = s.times[piece.from], length = s.times[piece.to] - start;
    const Value &v0 = piece.value0, &v1 = piece.value1;
    const Value m0 = length * piece.slope0, m1 = length * piece.slope1;
    const auto bend = [&](double u) {
        return size_of(Value((12 * u - 6) * (v0 - v1) + (6 * u - 4) * m0 + (6 * u - 2) * m1)) / (length * length);
    };
    constexpr double sag = 1.0 / 8.0;
    double worst = 0.0, error_before = size_of(Value(v0 - s.values[piece.from])), bend_before = bend(0.0);
    double time_before = start;
    const size_t last = 2 * (piece.to - piece.from);
    for (size_t half = 1; half <= last && worst <= enough; ++half) {
        const double time = s.half_time(piece.from, half), u = (time - start) / length, h = time - time_before;
        const Value here = half == last ? v1 : hermite<Value>(v0, m0, v1, m1, u);
        const double error = size_of(Value(here - s.half_value(piece.from, half))), bend_here = bend(u);
        const double most = std::max(error, error_before) + sag * h * h * std::max(bend_here, bend_before);
        // A tolerance of nothing is kept by nothing but the samples themselves.
        const size_t i = piece.from + (half - 1) / 2;
        const double allowed = std::min(s.at(i), s.at(i + 1));
        worst = std::max(worst, !as_ratio ? most : allowed > 0.0 ? most / allowed : most > 0.0 ? INFINITY : 0.0);
        error_before = error;
        bend_before = bend_here;
        time_before = time;
    }
    return worst;
}

// What the samples of a piece say about its two slopes, as normal equations: f and g are what the slopes add to the
// curve.
template <class Value>
struct SlopeVotes {
    double ff = 0.0, fg = 0.0, gg = 0.0;
    Value fr = zero_of<Value>(), gr = zero_of<Value>();
    SlopeVotes(const Samples<Value>& s, size_t from, size_t to, const Value& value0) {
        const double start = s.times[from], length = s.times[to] - start;
        for (size_t half = 1; half < 2 * (to - from); ++half) {
            const double u = (s.half_time(from, half) - start) / length;
            const double f = length * u * (1 - u) * (1 - u), g = length * u * u * (u - 1);
            const Value rest = s.half_value(from, half) -
                               ((1 + 2 * u) * (1 - u) * (1 - u) * value0 + u * u * (3 - 2 * u) * s.values[to]);
            ff += f * f;
            fg += f * g;
            gg += g * g;
            fr += f * rest;
            gr += g * rest;
        }
        // A pull towards the chord, enough to decide what nothing else decides.
        constexpr double pull = 1e-9, smallest = 1e-12;
        const double ridge = (pull * (ff + gg) + smallest * length * length);
        const Value chord = (s.values[to] - value0) / length;
        ff += ridge;
        gg += ridge;
        fr += ridge * chord;
        gr += ridge * chord;
    }
};

// Slopes and end value that fit best, from a given start: three unknowns by weighted least squares. Weights grow where
// the tolerance is exceeded, so that the largest error shrinks rather than their sum.
template <class Value>
Piece<Value> fit_free_end(const Samples<Value>& s, size_t from, size_t to, const Value& value0) {
    const double start = s.times[from], length = s.times[to] - start;
    Piece<Value> piece{from, to, zero_of<Value>(), zero_of<Value>(), value0, s.values[to]};
    constexpr int rounds = 3;
    std::vector<double> weight(2 * (to - from) + 1, 1.0);
    for (int round = 0; round < rounds; ++round) {
        Mat3d normal = Mat3d::Zero();
        Value side[3] = {zero_of<Value>(), zero_of<Value>(), zero_of<Value>()};
        for (size_t half = 1; half < weight.size(); ++half) {
            const double u = (s.half_time(from, half) - start) / length, w = weight[half];
            const Vec3d basis(u * (1 - u) * (1 - u), u * u * (3 - 2 * u), u * u * (u - 1));
            const Value rest = s.half_value(from, half) - (1 + 2 * u) * (1 - u) * (1 - u) * value0;
            normal += w * basis * basis.transpose();
            for (int c = 0; c < 3; ++c) side[c] += w * basis[c] * rest;
        }
        constexpr double ridge = 1e-9;
        normal.diagonal().array() += ridge * normal.trace();
        const Mat3d inverse = normal.inverse();
        Value found[3] = {zero_of<Value>(), zero_of<Value>(), zero_of<Value>()};
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) found[a] += inverse(a, b) * side[b];
        piece.slope0 = found[0] / length, piece.value1 = found[1], piece.slope1 = found[2] / length;
        if (piece_error(s, piece, 1.0, true) <= 1.0) return piece;
        double largest = 0.0;
        for (size_t half = 1; half < weight.size(); ++half) {
            const double u = (s.half_time(from, half) - start) / length;
            const Value at = hermite<Value>(value0, found[0], found[1], found[2], u);
            double& w = weight[half];
            w *= size_of(Value(at - s.half_value(from, half))) / std::max(s.at(from + half / 2), 1e-300);
            largest = std::max(largest, w);
        }
        constexpr double least = 0.02;  // of the largest weight: no sample is forgotten
        for (double& w : weight) w = largest > 0.0 ? std::max(w / largest, least) : 1.0;
    }
    return piece;
}

// The slopes that fit the samples in between best.
template <class Value>
Piece<Value> fit_piece(const Samples<Value>& s, size_t from, size_t to, const Value& value0) {
    if (s.lines || to == from + 1) {
        const Value chord = (s.values[to] - value0) / (s.times[to] - s.times[from]);
        return {from, to, chord, chord, value0, s.values[to]};
    }
    if (s.free) return fit_free_end(s, from, to, value0);
    const SlopeVotes<Value> v(s, from, to, value0);
    const double determinant = v.ff * v.gg - v.fg * v.fg;
    return {from,   to,          (v.gg * v.fr - v.fg * v.gr) / determinant, (v.ff * v.gr - v.fg * v.fr) / determinant,
            value0, s.values[to]};
}

// The longest piece from a sample that keeps the tolerance: doubled until it fails, then halved.
template <class Value>
Piece<Value> longest_piece(const Samples<Value>& s, size_t from, const Value& value0) {
    const size_t last = s.times.size() - 1;
    const double allowed = s.lines || !s.smooth ? 1.0 : share_for_keys;
    Piece<Value> best = fit_piece(s, from, from + 1, value0);
    size_t good = from + 1, bad = last + 1;
    for (size_t reach = 2; good < last; reach *= 2) {
        const size_t to = std::min(from + reach, last);
        const Piece<Value> piece = fit_piece(s, from, to, value0);
        if (piece_error(s, piece, allowed, true) > allowed) {
            bad = to;
            break;
        }
        best = piece;
        good = to;
    }
    while (bad - good > 1 && bad <= last) {
        const size_t to = good + (bad - good) / 2;
        const Piece<Value> piece = fit_piece(s, from, to, value0);
        if (piece_error(s, piece, allowed, true) > allowed) {
            bad = to;
        } else {
            best = piece;
            good = to;
        }
    }
    return best;
}

// One slope per key for both of its sides: all of them together, by least squares.
template <class Value>
std::vector<Piece<Value>> with_smooth_keys(const Samples<Value>& s, const std::vector<Piece<Value>>& pieces) {
    const size_t n = pieces.size() + 1;
    std::vector<double> below(n, 0.0), diagonal(n, 0.0), above(n, 0.0);
    std::vector<Value> slope(n, zero_of<Value>());
    for (size_t p = 0; p < pieces.size(); ++p) {
        const SlopeVotes<Value> v(s, pieces[p].from, pieces[p].to, pieces[p].value0);
        diagonal[p] += v.ff;
        above[p] = below[p + 1] = v.fg;
        diagonal[p + 1] += v.gg;
        slope[p] += v.fr;
        slope[p + 1] += v.gr;
    }
    solve_tridiagonal(below, diagonal, above, slope);
    std::vector<Piece<Value>> smooth = pieces;
    for (size_t p = 0; p < pieces.size(); ++p) {
        smooth[p].slope0 = slope[p];
        smooth[p].slope1 = slope[p + 1];
    }
    return smooth;
}

// Makes the keys smooth where the tolerance allows it. Where it does not, a piece is halved and it is tried once more;
// what still fails keeps its own slopes, and a corner.
template <class Value>
void join_smoothly(const Samples<Value>& s, std::vector<Piece<Value>>& pieces) {
    const auto fails = [&](const Piece<Value>& piece) { return piece_error(s, piece, 1.0, true) > 1.0; };
    std::vector<Piece<Value>> halved;
    const std::vector<Piece<Value>> first = with_smooth_keys(s, pieces);
    for (size_t p = 0; p < pieces.size(); ++p) {
        const size_t from = pieces[p].from, to = pieces[p].to, middle = from + (to - from) / 2;
        if (middle == from || !fails(first[p])) {
            halved.push_back(pieces[p]);
        } else {
            halved.push_back(fit_piece(s, from, middle, s.values[from]));
            halved.push_back(fit_piece(s, middle, to, s.values[middle]));
            // Half a cubic is a cubic, but through other samples: where that is worse, the whole piece stays.
            if (fails(halved.back()) || fails(*(halved.end() - 2))) {
                halved.resize(halved.size() - 2);
                halved.push_back(pieces[p]);
            }
        }
    }
    pieces = std::move(halved);
    const std::vector<Piece<Value>> smooth = with_smooth_keys(s, pieces);
    for (size_t p = 0; p < pieces.size(); ++p)
        if (!fails(smooth[p])) pieces[p] = smooth[p];
}

}  // namespace

template <class Value>
CurveFit<Value> fit_curve(std::span<const double> times, std::span<const Value> values, double tolerance,
                          const FitOptions& options) {
    SINEW_CHECK(!times.empty() && times.size() == values.size());
    SINEW_CHECK(options.tolerances.empty() || options.tolerances.size() == times.size());
    const Samples<Value> s{times,
                           values,
                           std::max(tolerance, 0.0),
                           options.tolerances,
                           options.between == Between::linear,
                           options.smooth,
                           options.free_values && !options.smooth};
    std::vector<Piece<Value>> pieces;
    for (size_t from = 0; from + 1 < times.size(); from = pieces.back().to)
        pieces.push_back(longest_piece(s, from, pieces.empty() ? values[0] : pieces.back().value1));
    if (!pieces.empty() && !s.lines && s.smooth) join_smoothly(s, pieces);

    CurveFit<Value> fit;
    const auto add_key = [&](size_t sample, const Value& value) {
        fit.curve.keys.emplace_back();
        fit.curve.keys.back().time = times[sample];
        fit.curve.keys.back().value = value;
        fit.curve.keys.back().between = options.between;
    };
    add_key(0, values[0]);
    for (const Piece<Value>& piece : pieces) {
        fit.curve.keys.back().out_slope = piece.slope0;
        add_key(piece.to, piece.value1);
        fit.curve.keys.back().in_slope = piece.slope1;
        fit.worst_error = std::max(fit.worst_error, piece_error(s, piece, INFINITY, false));
    }
    fit.curve.keys.front().in_slope = fit.curve.keys.front().out_slope;
    fit.curve.keys.back().out_slope = fit.curve.keys.back().in_slope;
    return fit;
}

template CurveFit<double> fit_curve(std::span<const double>, std::span<const double>, double, const FitOptions&);
template CurveFit<Vec3d> fit_curve(std::span<const double>, std::span<const Vec3d>, double, const FitOptions&);
template CurveFit<Eigen::Vector4d> fit_curve(std::span<const double>, std::span<const Eigen::Vector4d>, double,
                                             const FitOptions&);

}  // namespace sinew
