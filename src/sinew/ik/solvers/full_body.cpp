// Full body: many goals at once, by priority [Siciliano1991], with damping that follows the error [Sugihara2011].
//
// The goals of the first priority get a damped least-squares step. Those of the next get theirs in what is left: their
// rows of the Jacobian lose every part along directions that the first ones use, so what they do moves no goal of the
// first, to first order. And so on; the preferred pose comes last. Balance is one more goal: the centre of mass, over
// the support.
#include <sinew/ik/body/ik_loop.h>
#include <sinew/ik/solvers/balance.h>
#include <sinew/ik/solvers/ik_solvers.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double least_damping = 1e-4;          // of a radian's effect squared
constexpr double damping_by_error = 0.1;        // Sugihara's ½, less: goals of one frame are near
constexpr double most_rise = 64.0;              // how far failures raise the damping
constexpr double next_priority = 1e-3;          // a priority's cost counts so much less than the one before
constexpr double spent = 1e-3;                  // of a row's length: what is left of it is rounding, and no direction
constexpr double preferred_share = 0.3;         // of the way to the preferred pose, in the first iteration
constexpr double largest_preferred_turn = 0.1;  // radians: more would throw the goals off, to second order
constexpr double preferred_decay = 0.7;         // and in the next ones: where limits are in the way it must not go on
constexpr double balanced_within = 1e-3;        // of the body's length
constexpr double enough_for_balance = 0.8;      // the part of its error that a balance step must leave at most

// The priorities in use, in order; and how much each counts in the cost, which decides what state is the best.
void find_levels(IkBody& body, const IkProblem& problem, std::vector<int32_t>& levels) {
    levels.clear();
    for (const BodyGoal& goal : body.goals) levels.push_back(goal.priority);
    if (problem.balance) levels.push_back(problem.balance->priority);
    std::ranges::sort(levels);
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (BodyGoal& goal : body.goals) {
        const auto rank = std::ranges::lower_bound(levels, goal.priority) - levels.begin();
        goal.cost_weight = goal.weight * std::pow(next_priority, static_cast<double>(rank));
    }
}

class Prioritised {
public:
    explicit Prioritised(IkMemory& memory)
        : jacobian_(memory.jacobian),
          basis_(memory.basis),
          matrix_(memory.matrix),
          short_of_(memory.extra),
          n_(memory.jacobian.columns) {
        basis_.clear();
        std::ranges::fill(jacobian_.step, 0.0);
    }

    // The rows from `first` to `last`: what the step so far leaves of their error is solved for, in what is left to
    // them.
    void add_level(std::span<const size_t> rows, double damping) {
        const size_t m = rows.size();
        short_of_.resize(m), matrix_.resize(m * m);
        double squared = 0.0;
        for (size_t i = 0; i < m; ++i) {
            short_of_[i] = jacobian_.error[rows[i]] - dot(jacobian_.row(rows[i]), jacobian_.step.data(), n_);
            squared += short_of_[i] * short_of_[i];
            leave_out_basis(jacobian_.row(rows[i]));
        }
        for (size_t i = 0; i < m; ++i) {
            for (size_t k = 0; k <= i; ++k)
                matrix_[i * m + k] = dot(jacobian_.row(rows[i]), jacobian_.row(rows[k]), n_);
            matrix_[i * m + i] += damping * (least_damping + damping_by_error * squared);
        }
        if (solve_positive(matrix_, short_of_))
            for (size_t i = 0; i < m; ++i) add_scaled(short_of_[i], jacobian_.row(rows[i]), jacobian_.step.data(), n_);
    }

    // What comes after leaves the directions of these rows alone.
    void use_up(std::span<const size_t> rows) {
        for (const size_t row : rows) use_up(jacobian_.row(row));
    }

    void leave_out_basis(double* v) const {
        for (size_t b = 0; b < basis_.size(); b += n_) add_scaled(-dot(v, &basis_[b], n_), &basis_[b], v, n_);
    }

private:
    // Adds a row's direction to the basis, orthogonal to what is there.
    void use_up(double* row) {
        const double before = std::sqrt(dot(row, row, n_));
        leave_out_basis(row);
        const double left = std::sqrt(dot(row, row, n_));
        if (!(left > spent * before) || !(left > spent)) return;
        const size_t start = basis_.size();
        basis_.resize(start + n_);
        for (size_t c = 0; c < n_; ++c) basis_[start + c] = row[c] / left;
    }

    IkJacobian& jacobian_;
    std::vector<double>&basis_, &matrix_, &short_of_;
    size_t n_;
};

// The rows of a priority, in the order that fill_jacobian gives them; balance's three come last.
void rows_of(const IkBody& body, const IkTask& task, int32_t level, std::vector<size_t>& rows) {
    rows.clear();
    size_t row = 0;
    for (const BodyGoal& goal : body.goals) {
        const size_t count = 3 * (size_t{goal.has_position} + size_t{goal.has_orientation});
        for (size_t i = 0; i < count; ++i, ++row)
            if (goal.priority == level) rows.push_back(row);
    }
    if (task.problem.balance && task.problem.balance->priority == level)
        for (size_t i = 0; i < 3; ++i) rows.push_back(row + i);
}

void add_preference(IkMemory& memory, const IkTask& task, const Prioritised& step, double share) {
    std::vector<double>& way = memory.old;
    way.resize(memory.jacobian.columns);
    preferred_step(memory.body, memory.jacobian, task.problem.preferred, way);
    step.leave_out_basis(way.data());
    limit_step(memory.jacobian, way, largest_preferred_turn / share);
    for (size_t c = 0; c < way.size(); ++c) memory.jacobian.step[c] += share * way[c];
}

}  // namespace

int solve_full_body(IkMemory& memory, const IkTask& task) {
    IkBody& body = memory.body;
    IkJacobian& jacobian = memory.jacobian;
    find_levels(body, task.problem, memory.levels);
    set_up_jacobian(body, jacobian);
    const bool balances = task.problem.balance.has_value(), prefers = !task.problem.preferred.empty();
    if (balances) set_up_balance(memory, *task.problem.balance, task.problem);
    double rise = 1.0, last_cost = body_cost(body), last_sway = balances ? balance_error(memory).norm() : 0.0;
    double share = preferred_share;
    const bool sways = last_sway > balanced_within * body.length;
    return iterate(body, task.options, task.budget, sways, [&] {
        fill_jacobian(body, jacobian);
        if (balances) add_balance_rows(memory, *task.problem.balance);
        Prioritised step(memory);
        for (const int32_t level : memory.levels) {
            rows_of(body, task, level, memory.rows);
            step.add_level(memory.rows, rise);
            if (prefers || level != memory.levels.back()) step.use_up(memory.rows);
        }
        if (prefers) add_preference(memory, task, step, share);
        share *= preferred_decay;
        limit_step(jacobian, jacobian.step, task.largest_turn);
        take_step(body, jacobian);
        const double cost = body_cost(body);
        rise = cost < last_cost ? std::max(1.0, 0.5 * rise) : std::min(most_rise, 4.0 * rise);
        last_cost = cost;
        if (!balances) return false;
        const double sway = balance_error(memory).norm();
        const bool goes_on = sway > balanced_within * body.length && sway < enough_for_balance * last_sway;
        last_sway = sway;
        return goes_on;
    });
}

}  // namespace sinew
