#include <sinew/sets/clean/body_curves.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr Eigen::Index most_channels = 240;  // of a body that are looked at together: the work grows with their cube

std::vector<FrameRun> unknown_runs(const std::vector<char>& known) {
    std::vector<FrameRun> runs;
    for (size_t f = 0; f < known.size(); ++f) {
        if (known[f]) continue;
        if (!runs.empty() && runs.back().last + 1 == f)
            runs.back().last = f;
        else
            runs.push_back({f, f});
    }
    return runs;
}

// The main movements of all joints but one, over all frames: a column each, none where there is too little to go by.
// Joints that are unknown in frames of `gap` take no part.
Eigen::MatrixXd main_movements(const std::vector<BodyCurve>& curves, size_t without,
                               const std::vector<FrameRun>& gaps) {
    constexpr Eigen::Index most = 16;
    constexpr double frames_each = 12.0;  // to a movement, so that regression has something to go by
    const Eigen::Index n = curves[without].signal.rows();
    Eigen::MatrixXd all(n, 0);
    for (size_t c = 0; c < curves.size(); ++c) {
        const BodyCurve& curve = curves[c];
        const bool lost = std::ranges::any_of(gaps, [&](const FrameRun& gap) {
            return std::any_of(curve.known.begin() + static_cast<std::ptrdiff_t>(gap.first),
                               curve.known.begin() + static_cast<std::ptrdiff_t>(gap.last) + 1,
                               [](char k) { return k == 0; });
        });
        if (c == without || lost || curve.signal.cols() != 4 || all.cols() + 4 > most_channels) continue;
        all.conservativeResize(n, all.cols() + 4);
        all.rightCols(4) = curve.signal.rowwise() - curve.signal.colwise().mean();
    }
    if (all.cols() == 0) return all;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(all.transpose() * all);
    const auto wanted = std::min({most, all.cols(), static_cast<Eigen::Index>(static_cast<double>(n) / frames_each)});
    if (wanted < 1) return Eigen::MatrixXd(n, 0);
    Eigen::MatrixXd scores = all * axes.eigenvectors().rightCols(wanted);
    for (Eigen::Index c = 0; c < wanted; ++c) {
        const double size = std::sqrt(scores.col(c).squaredNorm() / static_cast<double>(n));
        scores.col(c) /= std::max(size, 1e-9);
    }
    return scores;
}

// The curve as the movements tell it, fitted where it is known.
Signal predict(const Signal& signal, const std::vector<char>& known, const Eigen::MatrixXd& movements) {
    constexpr double ridge = 1e-3;  // of the number of frames
    const Eigen::Index n = signal.rows(), k = movements.cols() + 1;
    Eigen::MatrixXd basis(n, k);
    basis << movements, Eigen::VectorXd::Ones(n);
    Eigen::MatrixXd normal = Eigen::MatrixXd::Identity(k, k) * (ridge * static_cast<double>(n)),
                    right(k, signal.cols());
    right.setZero();
    for (Eigen::Index f = 0; f < n; ++f) {
        if (!known[static_cast<size_t>(f)]) continue;
        normal += basis.row(f).transpose() * basis.row(f);
        right += basis.row(f).transpose() * signal.row(f);
    }
    return basis * normal.ldlt().solve(right);
}

Signal filled_by_spline(Signal signal, const std::vector<char>& known) {
    fill_unknown(signal, known);
    return signal;
}

// The prediction, with what it is off at the ends carried across smoothly.
Signal filled_by_body(const Signal& signal, const std::vector<char>& known, const Eigen::MatrixXd& movements) {
    const Signal told = predict(signal, known, movements);
    Signal off = signal - told;
    fill_unknown(off, known);
    Signal out = signal;
    for (Eigen::Index f = 0; f < out.rows(); ++f)
        if (!known[static_cast<size_t>(f)]) out.row(f) = told.row(f) + off.row(f);
    return out;
}

// Stretches as long as the gaps, apart from them, to try both ways on.
std::vector<char> trial_gaps(const std::vector<char>& known, const std::vector<FrameRun>& gaps) {
    std::vector<char> trial = known;
    const size_t n = known.size();
    for (const FrameRun& gap : gaps) {
        const size_t length = gap.last - gap.first + 1;
        size_t put = 0;
        constexpr size_t trials = 4;
        for (size_t start = length; start + 2 * length < n && put < trials;
             start += std::max(length * 3, n / (trials + 2))) {
            const auto a = trial.begin() + static_cast<std::ptrdiff_t>(start - length / 2);
            const auto b = trial.begin() + static_cast<std::ptrdiff_t>(start + length + length / 2);
            if (!std::all_of(a, b, [](char k) { return k != 0; })) continue;
            std::fill(a + static_cast<std::ptrdiff_t>(length / 2), a + static_cast<std::ptrdiff_t>(length / 2 + length),
                      char{0});
            ++put;
        }
    }
    return trial;
}

double trial_error(const Signal& truth, const Signal& filled, const std::vector<char>& known,
                   const std::vector<char>& trial) {
    double error = 0;
    for (Eigen::Index f = 0; f < truth.rows(); ++f)
        if (known[static_cast<size_t>(f)] && !trial[static_cast<size_t>(f)])
            error += (truth.row(f) - filled.row(f)).squaredNorm();
    return error;
}

}  // namespace

void fill_from_body(std::vector<BodyCurve>& curves, size_t i) {
    BodyCurve& curve = curves[i];
    const std::vector<FrameRun> gaps = unknown_runs(curve.known);
    if (gaps.empty()) return;
    const Eigen::MatrixXd movements = main_movements(curves, i, gaps);
    const Signal by_spline = filled_by_spline(curve.signal, curve.known);
    if (movements.cols() == 0) {
        curve.signal = by_spline;
        return;
    }
    const std::vector<char> trial = trial_gaps(curve.known, gaps);
    const double spline_error = trial_error(curve.signal, filled_by_spline(curve.signal, trial), curve.known, trial);
    const double body_error =
        trial_error(curve.signal, filled_by_body(curve.signal, trial, movements), curve.known, trial);
    curve.signal = body_error < spline_error ? filled_by_body(curve.signal, curve.known, movements) : by_spline;
}

}  // namespace sinew
