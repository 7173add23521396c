#include <sinew/ragdoll/control/evolve.h>

#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace sinew {
namespace {

// A normal number, by Box and Muller: the same on every machine, unlike <random>'s.
double normal(Random& random) {
    const double u = 1.0 - random.uniform(), v = random.uniform();
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

// The constants of [Hansen2016, table 1], with his symbols: λ tried, the best μ kept, n numbers.
struct Strategy {
    Eigen::VectorXd weights;
    double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi_n;

    Strategy(size_t lambda, double n) {
        const auto mu = static_cast<Eigen::Index>(lambda / 2);
        weights.resize(mu);
        for (Eigen::Index i = 0; i < mu; ++i)
            weights[i] = std::log(0.5 * static_cast<double>(lambda) + 0.5) - std::log(static_cast<double>(i) + 1.0);
        weights /= weights.sum();
        mu_eff = 1.0 / weights.squaredNorm();
        c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        d_sigma = 1.0 + c_sigma + 2.0 * std::max(0.0, std::sqrt((mu_eff - 1.0) / (n + 1.0)) - 1.0);
        c_c = (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n);
        c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff);
        c_mu = std::min(1.0 - c_1, 2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0) * (n + 2.0) + mu_eff));
        chi_n = std::sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
    }
};

}  // namespace

Evolved evolve(std::vector<double> start, const std::vector<double>& scale,
               const std::function<double(const std::vector<double>&)>& cost, const EvolutionOptions& options) {
    const size_t n = start.size(), lambda = std::max<size_t>(4, options.population);
    const auto size = static_cast<Eigen::Index>(n);
    const Strategy s(lambda, static_cast<double>(n));
    Random random(options.seed);
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(size), path_sigma = mean, path_c = mean;
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Identity(size, size);
    double sigma = options.spread;
    const auto numbers = [&](const Eigen::VectorXd& x) {
        std::vector<double> out(n);
        for (size_t i = 0; i < n; ++i) out[i] = start[i] + scale[i] * x[static_cast<Eigen::Index>(i)];
        return out;
    };
    const auto judged = [&](const std::vector<double>& x) {
        const double c = cost(x);
        return std::isfinite(c) ? c : std::numeric_limits<double>::max();
    };
    Evolved out{.best = start, .middle = start, .cost = judged(start), .evaluations = 1};
    for (int generation = 1; out.evaluations + lambda <= options.most_evaluations && out.cost > options.good_enough;
         ++generation) {
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(covariance);
        const Eigen::VectorXd axes = eigen.eigenvalues().cwiseMax(1e-20).cwiseSqrt();
        const Eigen::MatrixXd& basis = eigen.eigenvectors();
        std::vector<Eigen::VectorXd> steps(lambda, Eigen::VectorXd(size));
        std::vector<std::vector<double>> tried(lambda);
        for (size_t k = 0; k < lambda; ++k) {
            for (Eigen::Index i = 0; i < size; ++i) steps[k][i] = normal(random);
            steps[k] = basis * axes.cwiseProduct(steps[k]);
            tried[k] = numbers(mean + sigma * steps[k]);
        }
        std::vector<double> costs(lambda);
        parallel_for(lambda, 1, [&](size_t begin, size_t end) {
            for (size_t k = begin; k < end; ++k) costs[k] = judged(tried[k]);
        });
        out.evaluations += lambda;
        std::vector<size_t> order(lambda);
        std::iota(order.begin(), order.end(), size_t{0});
        std::ranges::stable_sort(order, {}, [&](size_t k) { return costs[k]; });
        if (costs[order[0]] < out.cost) out.cost = costs[order[0]], out.best = tried[order[0]];
        out.best_costs.push_back(out.cost);
        if (options.progress) options.progress(out.evaluations, out.cost);

        Eigen::VectorXd step = Eigen::VectorXd::Zero(size);
        for (Eigen::Index i = 0; i < s.weights.size(); ++i) step += s.weights[i] * steps[order[static_cast<size_t>(i)]];
        mean += sigma * step;
        path_sigma =
            (1.0 - s.c_sigma) * path_sigma + std::sqrt(s.c_sigma * (2.0 - s.c_sigma) * s.mu_eff) *
                                                 (basis * axes.cwiseInverse().cwiseProduct(basis.transpose() * step));
        const double faded = 1.0 - std::pow(1.0 - s.c_sigma, 2.0 * generation);
        const bool long_path =
            path_sigma.norm() / std::sqrt(faded) < (1.4 + 2.0 / (static_cast<double>(n) + 1.0)) * s.chi_n;
        path_c = (1.0 - s.c_c) * path_c + (long_path ? std::sqrt(s.c_c * (2.0 - s.c_c) * s.mu_eff) : 0.0) * step;
        const double kept = long_path ? 0.0 : s.c_1 * s.c_c * (2.0 - s.c_c);
        covariance *= 1.0 + kept - s.c_1 - s.c_mu;
        covariance += s.c_1 * path_c * path_c.transpose();
        for (Eigen::Index i = 0; i < s.weights.size(); ++i) {
            const Eigen::VectorXd& y = steps[order[static_cast<size_t>(i)]];
            covariance += s.c_mu * s.weights[i] * y * y.transpose();
        }
        sigma *= std::exp(s.c_sigma / s.d_sigma * (path_sigma.norm() / s.chi_n - 1.0));
    }
    out.middle = numbers(mean);
    return out;
}

}  // namespace sinew
