#include <sinew/weights/bbw/bbw_solve.h>

#include <sinew/core/check.h>
#include <sinew/core/parallel.h>
#include <sinew/weights/sparse/sparse_cholesky.h>
#include <algorithm>
#include <cmath>
#include <memory>

namespace sinew {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
constexpr size_t lanes = SparseCholesky::lanes;
constexpr size_t solve_grain = 512;  // cells per task
constexpr double relax = 1.6;        // over-relaxation; [Boyd2011 3.4.3] recommends 1.5 to 1.8
constexpr double of_moved = 0.1;     // of the tolerance: how far a weight may still move in one iteration
// Chosen: the penalty is looked at after 10, 20, 40 … iterations, and changed at most tenfold, and not at all while
// both residuals are within 2.5 of each other. Each change costs a factorisation.
constexpr int first_look = 10;
constexpr double penalty_change = 10.0, balanced_low = 0.4, balanced_high = 2.5;
constexpr double no_move = 1e-12, no_reach = 1e-9;  // must not divide by zero
// The first penalty is this over the distance between handles, to the fourth power (the energy has four derivatives).
// Chosen: about one wave from handle to handle; the penalty is adapted anyway.
constexpr double wave_number = 4.0;
// Chosen: the solver reads at most so many entries of the factor, but does at least so many iterations.
constexpr double affordable_entries = 2e9;
constexpr int least_iterations = 30;
constexpr double many = 1e6;  // fits into an int

Sparse laplacian(const Volume& volume) {
    std::vector<Eigen::Triplet<double, int>> entries;
    for (uint32_t c = 0; c < volume.size(); ++c) {
        double sum = 0.0;
        for (uint32_t i = volume.first[c]; i < volume.first[c + 1]; ++i) {
            entries.emplace_back(static_cast<int>(c), static_cast<int>(volume.others[i]), -volume.flows[i]);
            sum += volume.flows[i];
        }
        entries.emplace_back(static_cast<int>(c), static_cast<int>(c), sum);
    }
    const auto n = static_cast<Eigen::Index>(volume.size());
    Sparse matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

// The energy's matrix, and the numbers of the free cells.
struct Problem {
    Sparse energy;                  // Q = L M⁻¹ L
    std::vector<double> masses;     // M
    std::vector<int32_t> free_of;   // per cell its number among the free ones, or −1
    std::vector<uint32_t> cell_of;  // the reverse
};

Problem make_problem(const Volume& volume, std::span<const HeldCell> held) {
    Problem problem;
    const Sparse L = laplacian(volume);
    Eigen::VectorXd inverse(static_cast<Eigen::Index>(volume.size()));
    for (size_t c = 0; c < volume.size(); ++c) inverse[static_cast<Eigen::Index>(c)] = 1.0 / volume.volumes[c];
    problem.energy = L * (inverse.asDiagonal() * L);
    problem.masses = volume.volumes;
    problem.free_of.assign(volume.size(), 0);
    for (const HeldCell& h : held) problem.free_of[h.cell] = -1;
    for (uint32_t c = 0; c < volume.size(); ++c) {
        if (problem.free_of[c] < 0) continue;
        problem.free_of[c] = static_cast<int32_t>(problem.cell_of.size());
        problem.cell_of.push_back(c);
    }
    return problem;
}

// Q + penalty · M over the free cells, factorised.
std::unique_ptr<SparseCholesky> factorise(const Problem& problem, double penalty) {
    std::vector<Eigen::Triplet<double, int>> entries;
    for (const uint32_t c : problem.cell_of) {
        const int32_t column = problem.free_of[c];
        for (Sparse::InnerIterator it(problem.energy, static_cast<Eigen::Index>(c)); it; ++it) {
            const int32_t row = problem.free_of[static_cast<size_t>(it.row())];
            if (row >= column)
                entries.emplace_back(row, column, it.value() + (row == column ? penalty * problem.masses[c] : 0.0));
        }
    }
    const auto n = static_cast<Eigen::Index>(problem.cell_of.size());
    Sparse lower(n, n);
    lower.setFromTriplets(entries.begin(), entries.end());
    return std::make_unique<SparseCholesky>(lower);
}

// What the held cells add to the right-hand side, −Q_fh W_h: one number per free cell and handle.
std::vector<double> pull_of_held(const Problem& problem, std::span<const HeldCell> held, size_t handles) {
    std::vector<double> pull(problem.cell_of.size() * handles, 0.0);
    for (const HeldCell& h : held)
        for (Sparse::InnerIterator it(problem.energy, static_cast<Eigen::Index>(h.cell)); it; ++it) {
            const int32_t row = problem.free_of[static_cast<size_t>(it.row())];
            for (size_t k = 0; row >= 0 && k < handles; ++k)
                pull[static_cast<size_t>(row) * handles + k] -= it.value() * h.row[k];
        }
    return pull;
}

// Each has one number per free cell and handle.
struct Iterates {
    std::vector<double> smooth;   // w: minimises the energy, near z − u
    std::vector<double> bounded;  // z: in the simplex
    std::vector<double> tension;  // u: what keeps w at z, in units of w
};

void smooth_step(const Problem& problem, const SparseCholesky& factor, double penalty, std::span<const double> pull,
                 size_t handles, Iterates& it) {
    const size_t n = problem.cell_of.size(), blocks = (handles + lanes - 1) / lanes;
    parallel_for(blocks, 1, [&](size_t b, size_t) {
        const size_t low = b * lanes, count = std::min(lanes, handles - low);
        std::vector<double> x(n * lanes, 0.0);
        for (size_t f = 0; f < n; ++f) {
            const double weight = penalty * problem.masses[problem.cell_of[f]];
            for (size_t k = 0; k < count; ++k) {
                const size_t i = f * handles + low + k;
                x[f * lanes + k] = pull[i] + weight * (it.bounded[i] - it.tension[i]);
            }
        }
        factor.solve(x);
        for (size_t f = 0; f < n; ++f)
            for (size_t k = 0; k < count; ++k) it.smooth[f * handles + low + k] = x[f * lanes + k];
    });
}

struct Change {
    double breach = 0.0, moved = 0.0, sum_error = 0.0;
};

// The bounded step and the tension, cell by cell, over-relaxed.
Change bounded_step(size_t handles, Iterates& it) {
    const size_t n = it.smooth.size() / handles;
    std::vector<Change> changes((n + solve_grain - 1) / solve_grain);
    parallel_for(n, solve_grain, [&](size_t begin, size_t end) {
        Change& change = changes[begin / solve_grain];
        std::vector<double> row(handles), blend(handles);
        for (size_t f = begin; f < end; ++f) {
            double sum = 0.0;
            for (size_t k = 0; k < handles; ++k) {
                const size_t i = f * handles + k;
                blend[k] = relax * it.smooth[i] + (1.0 - relax) * it.bounded[i];
                row[k] = blend[k] + it.tension[i];
                sum += it.smooth[i];
            }
            project_to_simplex(row);
            for (size_t k = 0; k < handles; ++k) {
                const size_t i = f * handles + k;
                it.tension[i] += blend[k] - row[k];
                change.moved = std::max(change.moved, std::abs(row[k] - it.bounded[i]));
                it.bounded[i] = row[k];
                change.breach = std::max(change.breach, std::abs(it.smooth[i] - row[k]));
            }
            change.sum_error = std::max(change.sum_error, std::abs(sum - 1.0));
        }
    });
    Change all;
    for (const Change& c : changes)
        all = {std::max(all.breach, c.breach), std::max(all.moved, c.moved), std::max(all.sum_error, c.sum_error)};
    return all;
}

// The penalty at which both steps matter equally, for weights that vary over the distance between handles.
double first_penalty(const Volume& volume, size_t handles) {
    double total = 0.0;
    for (const double v : volume.volumes) total += v;
    const double reach = std::cbrt(total / static_cast<double>(std::max<size_t>(handles, 1)));
    return std::pow(wave_number / std::max(reach, no_reach), 4);
}

Iterates first_iterates(const Problem& problem, size_t handles, std::span<const double> start) {
    Iterates it;
    it.smooth.assign(problem.cell_of.size() * handles, 1.0 / static_cast<double>(handles));
    for (size_t f = 0; !start.empty() && f < problem.cell_of.size(); ++f)
        std::copy_n(&start[problem.cell_of[f] * handles], handles, &it.smooth[f * handles]);
    it.bounded = it.smooth;
    it.tension.assign(it.smooth.size(), 0.0);
    return it;
}

double energy_of(const Problem& problem, std::span<const double> weights, size_t handles) {
    double energy = 0.0;
    for (size_t k = 0; k < handles; ++k) {
        Eigen::VectorXd w(problem.energy.rows());
        for (Eigen::Index c = 0; c < w.size(); ++c) w[c] = weights[static_cast<size_t>(c) * handles + k];
        energy += w.dot(problem.energy * w);
    }
    return energy;
}

// Hundreds of handles in a body without shape cost a hundred times what a character costs. There the solver stops early
// and says so.
int affordable_iterations(const SparseCholesky& factor, size_t handles, int most) {
    const size_t blocks = (handles + lanes - 1) / lanes;
    const double each = static_cast<double>(std::max<size_t>(factor.entries(), 1) * blocks);
    return std::min(most, std::max(least_iterations, static_cast<int>(std::min(affordable_entries / each, many))));
}

}  // namespace

void project_to_simplex(std::span<double> row) {
    // Take the same off all entries so that those above it sum to 1. Entries below it drop out, and it grows, until
    // none drops out any more.
    double off = -INFINITY;
    for (;;) {
        double sum = 0.0;
        size_t count = 0;
        for (const double x : row)
            if (x > off) sum += x, ++count;
        const double next = (sum - 1.0) / static_cast<double>(count);
        if (!(next > off)) break;
        off = next;
    }
    for (double& x : row) x = std::max(x - off, 0.0);
}

BbwSolution solve_bbw(const Volume& volume, size_t handles, std::span<const HeldCell> held,
                      const BbwSolveOptions& options, std::span<const double> start) {
    SINEW_CHECK(handles > 0 && !held.empty() && (start.empty() || start.size() == volume.size() * handles));
    const Problem problem = make_problem(volume, held);
    const std::vector<double> pull = pull_of_held(problem, held, handles);
    Iterates it = first_iterates(problem, handles, start);
    BbwSolution solution;
    double penalty = first_penalty(volume, handles);
    std::unique_ptr<SparseCholesky> factor = factorise(problem, penalty);
    int next_look = first_look;
    const int most = affordable_iterations(*factor, handles, options.max_iterations);
    while (solution.iterations < most && factor->ok() && !problem.cell_of.empty()) {
        ++solution.iterations;
        smooth_step(problem, *factor, penalty, pull, handles, it);
        const Change change = bounded_step(handles, it);
        solution.breach = change.breach;
        solution.sum_error = change.sum_error;
        solution.converged = change.breach <= options.tolerance && change.moved <= of_moved * options.tolerance;
        if (solution.converged) break;
        if (solution.iterations < next_look) continue;
        next_look *= 2;
        // Weights that creep need a weaker penalty, and bounds that are not met a stronger one.
        const double ratio = change.breach / std::max(change.moved, no_move);
        const double factor_of = std::clamp(ratio, 1.0 / penalty_change, penalty_change);
        if (factor_of > balanced_low && factor_of < balanced_high) continue;
        penalty *= factor_of;
        for (double& u : it.tension) u /= factor_of;
        factor = factorise(problem, penalty);
    }
    solution.weights.assign(volume.size() * handles, 0.0);
    for (size_t f = 0; f < problem.cell_of.size(); ++f)
        std::copy_n(&it.bounded[f * handles], handles, &solution.weights[problem.cell_of[f] * handles]);
    for (const HeldCell& h : held) std::copy_n(h.row.begin(), handles, &solution.weights[h.cell * handles]);
    remove_false_summits(volume, held, handles, solution.weights);
    solution.energy = energy_of(problem, solution.weights, handles);
    return solution;
}

}  // namespace sinew
