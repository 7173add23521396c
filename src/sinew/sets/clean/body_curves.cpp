#include <sinew/sets/clean/body_curves.h>

#include <sinew/math/types.h>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>

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

// How a place moves up, down and about, without where it goes: what is left of it once its mean over a second is taken
// off, scaled to the size of `rotations`. A body that bobs tells of its legs.
Eigen::MatrixXd bobbing(const Signal& places, double fps, double rotations) {
    const Eigen::Index n = places.rows(), reach = std::max<Eigen::Index>(1, static_cast<Eigen::Index>(0.5 * fps));
    Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(n + 1, places.cols());
    for (Eigen::Index f = 0; f < n; ++f) sums.row(f + 1) = sums.row(f) + places.row(f);
    Eigen::MatrixXd bob = places;
    for (Eigen::Index f = 0; f < n; ++f) {
        const Eigen::Index r = std::min({reach, f, n - 1 - f});  // even on both sides, so that a straight way is none
        bob.row(f) -= (sums.row(f + r + 1) - sums.row(f - r)) / static_cast<double>(2 * r + 1);
    }
    const double size = std::sqrt(bob.squaredNorm() / static_cast<double>(bob.size()));
    return size > 0.0 ? Eigen::MatrixXd(bob * (rotations / size)) : bob;
}

// The main movements of all joints but one, over all frames: a column each, none where there is too little to go by.
// Joints that are unknown in frames of `gap` take no part; `counts` is what each counts.
Eigen::MatrixXd main_movements(const std::vector<BodyCurve>& curves, size_t without, const std::vector<FrameRun>& gaps,
                               double fps, const std::vector<double>& counts) {
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
        all.rightCols(4) = counts[c] * (curve.signal.rowwise() - curve.signal.colwise().mean());
    }
    if (all.cols() == 0) return all;
    const double usual = std::sqrt(all.squaredNorm() / static_cast<double>(all.size()));
    constexpr double way_counts = 2.0;  // of a usual joint's turns
    for (const BodyCurve& curve : curves) {
        if (curve.signal.cols() != 3 || std::ranges::count(curve.known, char{0}) > 0) continue;
        all.conservativeResize(n, all.cols() + 3);
        all.rightCols(3) = bobbing(curve.signal, fps, way_counts * usual);
        break;  // the first is the root's
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(all.transpose() * all);
    const auto wanted = std::min({most, all.cols(), static_cast<Eigen::Index>(static_cast<double>(n) / frames_each)});
    if (wanted < 1) return Eigen::MatrixXd(n, 0);
    return all * axes.eigenvectors().rightCols(wanted);
}

// What each joint counts for one that was lost: those of its own limb, and what hangs beside it, tell most.
std::vector<double> limb_counts(const std::vector<BodyCurve>& curves, size_t i) {
    constexpr double far = 0.2;  // what all others count
    constexpr int reach = 3;     // joints down the limb
    const auto parent_of = [&](int32_t joint) {
        for (const BodyCurve& curve : curves)
            if (curve.joint == joint) return curve.parent;
        return -1;
    };
    std::vector<double> counts;
    for (const BodyCurve& curve : curves) {
        const BodyCurve& own = curves[i];
        bool near = curve.joint == own.parent || (own.parent >= 0 && curve.parent == own.parent);
        int32_t up = curve.parent;
        for (int steps = 0; steps < reach && up >= 0; ++steps, up = parent_of(up)) near |= up == own.joint;
        counts.push_back(near ? 1.0 : far);
    }
    return counts;
}

// The curve as the movements tell it, fitted where it is known.
Signal predict(const Signal& signal, const std::vector<char>& known, const Eigen::MatrixXd& movements) {
    constexpr double ridge = 1e-3;  // of the number of frames
    const Eigen::Index n = signal.rows(), k = movements.cols() + 1;
    Eigen::MatrixXd basis(n, k);
    basis << movements, Eigen::VectorXd::Ones(n);
    for (Eigen::Index c = 0; c + 1 < k; ++c)
        basis.col(c) /= std::max(std::sqrt(basis.col(c).squaredNorm() / static_cast<double>(n)), 1e-9);
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

// Movements and their speeds: what two moments are compared by.
Eigen::MatrixXd moments_of(const Eigen::MatrixXd& movements, double fps) {
    constexpr double speed_s = 0.1;  // a movement's speed counts as much as what it does in this time
    const Eigen::Index n = movements.rows(), k = movements.cols();
    Eigen::MatrixXd moments(n, 2 * k);
    moments.leftCols(k) = movements;
    for (Eigen::Index f = 0; f < n; ++f) {
        const Eigen::Index a = std::max<Eigen::Index>(f - 1, 0), b = std::min(f + 1, n - 1);
        moments.row(f).tail(k) = (movements.row(b) - movements.row(a)) *
                                 (speed_s * fps / static_cast<double>(std::max<Eigen::Index>(b - a, 1)));
    }
    return moments;
}

// The curve as moments that are alike tell it: the mean of a Gaussian process over the known frames.
Signal predict_by_likeness(const Signal& signal, const std::vector<char>& known, const Eigen::MatrixXd& moments) {
    constexpr Eigen::Index most = 400;  // frames to learn from, evenly spread
    constexpr double noise = 0.0025;    // of the curve's variance: that alike moments differ by
    std::vector<Eigen::Index> frames;
    for (Eigen::Index f = 0; f < signal.rows(); ++f)
        if (known[static_cast<size_t>(f)]) frames.push_back(f);
    const Eigen::Index stride = (static_cast<Eigen::Index>(frames.size()) + most - 1) / most;
    const Eigen::Index count = (static_cast<Eigen::Index>(frames.size()) + stride - 1) / stride;
    Eigen::MatrixXd learnt(count, moments.cols()), values(count, signal.cols());
    for (Eigen::Index i = 0; i < count; ++i) {
        learnt.row(i) = moments.row(frames[static_cast<size_t>(i * stride)]);
        values.row(i) = signal.row(frames[static_cast<size_t>(i * stride)]);
    }
    const Eigen::RowVectorXd mean = values.colwise().mean();
    values.rowwise() -= mean;
    const Eigen::VectorXd power = learnt.rowwise().squaredNorm();
    const auto squares_to = [&](const Eigen::MatrixXd& rows) {
        Eigen::MatrixXd d = -2.0 * rows * learnt.transpose();
        d.colwise() += rows.rowwise().squaredNorm();
        d.rowwise() += power.transpose();
        return Eigen::MatrixXd(d.cwiseMax(0.0));
    };
    Eigen::MatrixXd kernel = squares_to(learnt);
    // How far moments usually lie apart is how far one tells of another.
    const double apart =
        std::max(kernel.sum() / static_cast<double>(std::max<Eigen::Index>(count * (count - 1), 1)), 1e-12);
    kernel = (kernel * (-0.5 / apart)).array().exp();
    kernel.diagonal().array() += noise;
    const Eigen::MatrixXd weights = kernel.ldlt().solve(values);
    Signal told(signal.rows(), signal.cols());
    constexpr Eigen::Index block = 256;
    for (Eigen::Index f = 0; f < told.rows(); f += block) {
        const Eigen::Index rows = std::min(block, told.rows() - f);
        const Eigen::MatrixXd near = (squares_to(moments.middleRows(f, rows)) * (-0.5 / apart)).array().exp();
        told.middleRows(f, rows) = (near * weights).rowwise() + mean;
    }
    return told;
}

Signal filled_by_spline(Signal signal, const std::vector<char>& known) {
    fill_unknown(signal, known);
    return signal;
}

// Quaternions in the order of their coefficients, frame by frame: a · b, or a⁻¹ · b; of q and −q the one nearer to the
// last.
Signal turned_signals(const Signal& a, const Signal& b, bool inverse) {
    Signal out(b.rows(), 4);
    for (Eigen::Index f = 0; f < b.rows(); ++f) {
        const Quatd x(Eigen::Vector4d(a.row(f).transpose())), y(Eigen::Vector4d(b.row(f).transpose()));
        out.row(f) = ((inverse ? Quatd(x.conjugate()) : x) * y).coeffs().transpose();
        if (f > 0 && out.row(f).dot(out.row(f - 1)) < 0.0) out.row(f) *= -1.0;
    }
    return out;
}

// A limb that nothing holds goes on as it turned in the world, whatever the body above it does.
Signal filled_in_world(const Signal& signal, const Signal& above, const std::vector<char>& known) {
    const Signal local = filled_by_spline(signal, known);
    Signal world = turned_signals(above, local, false);
    fill_unknown(world, known);
    const Signal back = turned_signals(above, world, true);
    Signal out = signal;
    for (Eigen::Index f = 0; f < out.rows(); ++f)
        if (!known[static_cast<size_t>(f)])
            out.row(f) = back.row(f) * (back.row(f).dot(local.row(f)) < 0.0 ? -1.0 : 1.0);
    return out;
}

// The prediction, with what it is off at the ends carried across smoothly.
Signal filled_by(const Signal& told, const Signal& signal, const std::vector<char>& known) {
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

void fill_from_body(std::vector<BodyCurve>& curves, size_t i, double fps) {
    BodyCurve& curve = curves[i];
    const std::vector<FrameRun> gaps = unknown_runs(curve.known);
    if (gaps.empty()) return;
    const Eigen::MatrixXd movements = main_movements(curves, i, gaps, fps, std::vector<double>(curves.size(), 1.0));
    if (movements.cols() == 0) {
        fill_unknown(curve.signal, curve.known);
        return;
    }
    const Eigen::MatrixXd moments = moments_of(movements, fps);
    const Eigen::MatrixXd limb_moments = moments_of(main_movements(curves, i, gaps, fps, limb_counts(curves, i)), fps);
    using Fill = std::function<Signal(const std::vector<char>&)>;
    const Signal& signal = curve.signal;
    std::vector<Fill> ways = {
        [&](const std::vector<char>& known) { return filled_by_spline(signal, known); },
        [&](const std::vector<char>& known) { return filled_by(predict(signal, known, movements), signal, known); },
        [&](const std::vector<char>& known) {
            return filled_by(predict_by_likeness(signal, known, moments), signal, known);
        },
        [&](const std::vector<char>& known) {
            return filled_by(predict_by_likeness(signal, known, limb_moments), signal, known);
        }};
    if (curve.above.size() > 0)
        ways.push_back([&](const std::vector<char>& known) { return filled_in_world(signal, curve.above, known); });
    const std::vector<char> trial = trial_gaps(curve.known, gaps);
    // Each way counts by how well it did: errors of different ways partly cancel.
    constexpr double tiny = 1e-12;
    Signal sum = Signal::Zero(signal.rows(), signal.cols());
    double counts = 0;
    for (const Fill& way : ways) {
        const double error = trial_error(signal, way(trial), curve.known, trial);
        const double count = 1.0 / std::pow(error + tiny, 2.0);
        sum += count * way(curve.known);
        counts += count;
    }
    sum /= counts;
    for (Eigen::Index f = 0; f < sum.rows(); ++f)
        if (!curve.known[static_cast<size_t>(f)]) curve.signal.row(f) = sum.row(f);
}

}  // namespace sinew
