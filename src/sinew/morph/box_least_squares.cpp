#include <sinew/morph/box_least_squares.h>

#include <sinew/core/check.h>
#include <Eigen/Cholesky>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

enum class State : uint8_t { free, low, high };

// The exact minimum over the free unknowns with the others held, as a step from x. A ridge far below H's own size keeps
// directions that H does not see from running off.
Eigen::VectorXd free_step(const Eigen::MatrixXd& H, const Eigen::VectorXd& downhill, const std::vector<int>& free,
                          double ridge) {
    if (free.empty()) return {};
    const Eigen::MatrixXd inner = H(free, free);
    Eigen::MatrixXd raised = inner;
    raised.diagonal().array() += ridge;
    const Eigen::LDLT<Eigen::MatrixXd> factor(raised);
    const Eigen::VectorXd right = downhill(free);
    Eigen::VectorXd step = factor.solve(right);
    // One refinement against the matrix without the ridge, so that it does not show in the answer where H is regular.
    step += factor.solve(right - inner * step);
    return step.allFinite() ? step : Eigen::VectorXd::Zero(right.size());
}

struct Walk {
    double length = 1.0;
    int blocking = -1;  // which of the free unknowns meets its bound first
};

Walk longest_step(const Eigen::VectorXd& x, const Eigen::VectorXd& step, const std::vector<int>& free,
                  const Eigen::VectorXd& low, const Eigen::VectorXd& high) {
    Walk walk;
    for (size_t k = 0; k < free.size(); ++k) {
        const int i = free[k];
        const double d = step[static_cast<Eigen::Index>(k)];
        if (d == 0.0) continue;
        const double length = std::max(0.0, ((d < 0.0 ? low[i] : high[i]) - x[i]) / d);
        if (length < walk.length) walk = {length, static_cast<int>(k)};
    }
    return walk;
}

// How hard the gradient pulls an unknown away from its bound into the box; 0 where it presses against it.
double pull(State state, double downhill) {
    return state == State::low ? std::max(0.0, downhill) : state == State::high ? std::max(0.0, -downhill) : 0.0;
}

}  // namespace

BoxSolution minimise_in_box(const Eigen::MatrixXd& H, const Eigen::VectorXd& g, const Eigen::VectorXd& low,
                            const Eigen::VectorXd& high, const Eigen::VectorXd& start) {
    const Eigen::Index n = g.size();
    SINEW_CHECK(H.rows() == n && H.cols() == n && low.size() == n && high.size() == n && start.size() == n);
    BoxSolution solution;
    Eigen::VectorXd& x = solution.x;
    x = start.cwiseMax(low).cwiseMin(high);
    if (n == 0) return solution.converged = true, solution;
    const double scale = std::max(H.diagonal().cwiseAbs().maxCoeff(), 1e-300);
    const double width = std::max({x.cwiseAbs().maxCoeff(), g.cwiseAbs().maxCoeff() / scale, 1e-300});
    const double tolerance = 1e-10 * scale * width;
    std::vector<State> state(static_cast<size_t>(n), State::free);
    for (Eigen::Index i = 0; i < n; ++i) {
        if (x[i] <= low[i]) state[static_cast<size_t>(i)] = State::low;
        if (x[i] >= high[i]) state[static_cast<size_t>(i)] = State::high;
    }
    const int limit = 20 * static_cast<int>(n) + 20;
    while (solution.iterations < limit && !solution.converged) {
        ++solution.iterations;
        std::vector<int> free;
        for (int i = 0; i < n; ++i) {
            if (state[static_cast<size_t>(i)] == State::free) free.push_back(i);
        }
        const Eigen::VectorXd step = free_step(H, g - H * x, free, 1e-12 * scale);
        const Walk walk = longest_step(x, step, free, low, high);
        for (size_t k = 0; k < free.size(); ++k) {
            const int i = free[k];
            x[i] = std::clamp(x[i] + walk.length * step[static_cast<Eigen::Index>(k)], low[i], high[i]);
        }
        if (walk.blocking >= 0) {
            const int i = free[static_cast<size_t>(walk.blocking)];
            const bool down = step[walk.blocking] < 0.0;
            x[i] = down ? low[i] : high[i];
            state[static_cast<size_t>(i)] = down ? State::low : State::high;
            continue;
        }
        const Eigen::VectorXd downhill = g - H * x;
        int hardest = -1;
        double most = tolerance;
        for (int i = 0; i < n; ++i) {
            const double amount = low[i] < high[i] ? pull(state[static_cast<size_t>(i)], downhill[i]) : 0.0;
            if (amount > most) most = amount, hardest = i;
        }
        if (hardest < 0) {
            solution.converged = true;
        } else {
            state[static_cast<size_t>(hardest)] = State::free;
        }
    }
    const Eigen::VectorXd downhill = g - H * x;
    for (Eigen::Index i = 0; i < n; ++i) {
        const State s = state[static_cast<size_t>(i)];
        const double amount = low[i] >= high[i] ? 0.0 : s == State::free ? std::abs(downhill[i]) : pull(s, downhill[i]);
        solution.optimality = std::max(solution.optimality, amount / scale);
    }
    return solution;
}

}  // namespace sinew
