#include <sinew/motion/touch/smooth_curve.h>

#include <algorithm>
#include <array>

namespace sinew {

SmoothCurve::SmoothCurve(size_t frames, const SmoothCurveOptions& options)
    : options_(options),
      frames_(frames),
      system_(frames * unknowns, 3 * unknowns - 1),
      right_(frames * unknowns, 0.0),
      x_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(frames * unknowns))) {}

void SmoothCurve::add(size_t frame, const Vec3d& row, double wanted, double weight) {
    const size_t first = frame * unknowns;
    for (size_t i = 0; i < unknowns; ++i) {
        const double ri = weight * row[static_cast<Eigen::Index>(i)];
        right_[first + i] += ri * wanted;
        for (size_t j = 0; j <= i; ++j) system_.add(first + i, first + j, ri * row[static_cast<Eigen::Index>(j)]);
    }
}

void SmoothCurve::add_bound(size_t frame, const Vec3d& row, double wanted, double weight) {
    bounds_.push_back({frame, row, wanted, weight, row.dot(at(frame)) < wanted});
}

void SmoothCurve::add_own(double damping) {
    constexpr double held = 1e6;
    constexpr std::array<double, 3> second = {1, -2, 1};
    const double bend = std::pow(options_.spread, 4);
    for (size_t f = 0; f < frames_; ++f) {
        const bool end = (f < 2 && !options_.open_start) || (f + 2 >= frames_ && !options_.open_end);
        for (size_t i = 0; i < unknowns; ++i) {
            const size_t at = f * unknowns + i;
            system_.add(at, at, options_.own[static_cast<Eigen::Index>(i)] + damping + (end ? held : 0.0));
            right_[at] += damping * x_[static_cast<Eigen::Index>(at)];
            for (size_t a = 0; f >= 2 && a < 3; ++a)
                for (size_t b = 0; b <= a; ++b)
                    system_.add((f - 2 + a) * unknowns + i, (f - 2 + b) * unknowns + i, bend * second[a] * second[b]);
        }
    }
}

// Which bounds push is found by turns: those that the last solution violates.
bool SmoothCurve::solve_bounded() {
    constexpr int turns = 8;
    const BandedSystem base = system_;
    const std::vector<double> base_right = right_;
    for (int turn = 0; turn < turns; ++turn) {
        if (turn > 0) system_ = base, right_ = base_right;
        for (const Bound& bound : bounds_)
            if (bound.active) add(bound.frame, bound.row, bound.wanted, bound.weight);
        if (!system_.factor()) return false;
        system_.solve(right_);
        solution_ = right_;
        bool same = true;
        for (Bound& bound : bounds_) {
            const bool active =
                bound.row.dot(Eigen::Map<const Vec3d>(&solution_[bound.frame * unknowns])) < bound.wanted;
            same = same && active == bound.active;
            bound.active = active;
        }
        if (same) break;
    }
    return true;
}

double SmoothCurve::step(double damping) {
    add_own(damping);
    double change = 0;
    if (frames_ > 0 && solve_bounded()) {
        const Eigen::VectorXd way = Eigen::Map<const Eigen::VectorXd>(solution_.data(), x_.size()) - x_;
        change = way.allFinite() ? way.cwiseAbs().maxCoeff() : 0.0;
        if (change > 0) x_ += std::min(1.0, options_.longest_step / change) * way;
    }
    system_.clear();
    std::ranges::fill(right_, 0.0);
    bounds_.clear();
    return change;
}

}  // namespace sinew
