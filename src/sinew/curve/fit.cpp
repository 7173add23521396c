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
    bool lines;  // straight from key to key
};

// One cubic from sample `from` to sample `to`.
template <class Value>
struct Piece {
    size_t from = 0, to = 0;
    Value slope0 = zero_of<Value>(), slope1 = zero_of<Value>();
};

// An upper bound of the distance between the cubic and the lines between the samples. Between two samples a cubic
// leaves its own chord by at most h²/8 times its largest second derivative, which it has at one of the two. Stops early
// beyond `enough`.
template <class Value>
double piece_error(const Samples<Value>& s, const Piece<Value>& piece, double enough) {
    const double start = s.times[piece.from], length = s.times[piece.to] - start;
    const Value &v0 = s.values[piece.from], &v1 = s.values[piece.to];
    const Value m0 = length * piece.slope0, m1 = length * piece.slope1;
    const auto bend = [&](double u) {
        return size_of(Value((12 * u - 6) * (v0 - v1) + (6 * u - 4) * m0 + (6 * u - 2) * m1)) / (length * length);
    };
    constexpr double sag = 1.0 / 8.0;
    double worst = 0.0, error_before = 0.0, bend_before = bend(0.0);
    for (size_t i = piece.from + 1; i <= piece.to && worst <= enough; ++i) {
        const double u = (s.times[i] - start) / length, h = s.times[i] - s.times[i - 1];
        const double error = i == piece.to ? 0.0 : size_of(Value(hermite<Value>(v0, m0, v1, m1, u) - s.values[i]));
        const double bend_here = bend(u);
        worst = std::max(worst, std::max(error, error_before) + sag * h * h * std::max(bend_here, bend_before));
        error_before = error;
        bend_before = bend_here;
    }
    return worst;
}

// What the samples of a piece say about its two slopes, as normal equations: f and g are what the slopes add to the
// curve.
template <class Value>
struct SlopeVotes {
    double ff = 0.0, fg = 0.0, gg = 0.0;
    Value fr = zero_of<Value>(), gr = zero_of<Value>();
    SlopeVotes(const Samples<Value>& s, size_t from, size_t to) {
        const double start = s.times[from], length = s.times[to] - start;
        for (size_t i = from + 1; i < to; ++i) {
            const double u = (s.times[i] - start) / length;
            const double f = length * u * (1 - u) * (1 - u), g = length * u * u * (u - 1);
            const Value rest =
                s.values[i] - ((1 + 2 * u) * (1 - u) * (1 - u) * s.values[from] + u * u * (3 - 2 * u) * s.values[to]);
            ff += f * f;
            fg += f * g;
            gg += g * g;
            fr += f * rest;
            gr += g * rest;
        }
        // A pull towards the chord, enough to decide what nothing else decides.
        constexpr double pull = 1e-9, smallest = 1e-12;
        const double ridge = (pull * (ff + gg) + smallest * length * length);
        const Value chord = (s.values[to] - s.values[from]) / length;
        ff += ridge;
        gg += ridge;
        fr += ridge * chord;
        gr += ridge * chord;
    }
};

// The slopes that fit the samples in between best.
template <class Value>
Piece<Value> fit_piece(const Samples<Value>& s, size_t from, size_t to) {
    if (s.lines) {
        const Value chord = (s.values[to] - s.values[from]) / (s.times[to] - s.times[from]);
        return {from, to, chord, chord};
    }
    const SlopeVotes<Value> v(s, from, to);
    const double determinant = v.ff * v.gg - v.fg * v.fg;
    return {from, to, (v.gg * v.fr - v.fg * v.gr) / determinant, (v.ff * v.gr - v.fg * v.fr) / determinant};
}

// The longest piece from a sample that keeps the tolerance: doubled until it fails, then halved.
template <class Value>
Piece<Value> longest_piece(const Samples<Value>& s, size_t from) {
    const size_t last = s.times.size() - 1;
    const double allowed = (s.lines ? 1.0 : share_for_keys) * s.tolerance;
    Piece<Value> best = fit_piece(s, from, from + 1);
    size_t good = from + 1, bad = last + 1;
    for (size_t reach = 2; good < last; reach *= 2) {
        const size_t to = std::min(from + reach, last);
        const Piece<Value> piece = fit_piece(s, from, to);
        if (piece_error(s, piece, allowed) > allowed) {
            bad = to;
            break;
        }
        best = piece;
        good = to;
    }
    while (bad - good > 1 && bad <= last) {
        const size_t to = good + (bad - good) / 2;
        const Piece<Value> piece = fit_piece(s, from, to);
        if (piece_error(s, piece, allowed) > allowed) {
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
        const SlopeVotes<Value> v(s, pieces[p].from, pieces[p].to);
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
    const auto fails = [&](const Piece<Value>& piece) { return piece_error(s, piece, s.tolerance) > s.tolerance; };
    std::vector<Piece<Value>> halved;
    const std::vector<Piece<Value>> first = with_smooth_keys(s, pieces);
    for (size_t p = 0; p < pieces.size(); ++p) {
        const size_t from = pieces[p].from, to = pieces[p].to, middle = from + (to - from) / 2;
        if (middle == from || !fails(first[p])) {
            halved.push_back(pieces[p]);
        } else {
            halved.push_back(fit_piece(s, from, middle));
            halved.push_back(fit_piece(s, middle, to));
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
    const Samples<Value> s{times, values, std::max(tolerance, 0.0), options.between == Between::linear};
    std::vector<Piece<Value>> pieces;
    for (size_t from = 0; from + 1 < times.size(); from = pieces.back().to) pieces.push_back(longest_piece(s, from));
    if (!pieces.empty() && !s.lines) join_smoothly(s, pieces);

    CurveFit<Value> fit;
    const auto add_key = [&](size_t sample) {
        fit.curve.keys.emplace_back();
        fit.curve.keys.back().time = times[sample];
        fit.curve.keys.back().value = values[sample];
        fit.curve.keys.back().between = options.between;
    };
    add_key(0);
    for (const Piece<Value>& piece : pieces) {
        fit.curve.keys.back().out_slope = piece.slope0;
        add_key(piece.to);
        fit.curve.keys.back().in_slope = piece.slope1;
        fit.worst_error = std::max(fit.worst_error, piece_error(s, piece, INFINITY));
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
