// Newton's method with exact second derivatives [Erleben2019], damped as Levenberg and Marquardt do. Turning joint a,
// above joint b, turns the way in which b moves the tip: the second derivative of the tip's place is a × (b × lever).
// With it the step near the solution is right to second order, also where the goal is out of reach and Gauss–Newton
// wanders.
//
// What the goals leave open, the null space of J, goes to the preferred pose: the way there, less its part that would
// move a goal.
#include <sinew/ik/body/ik_loop.h>
#include <sinew/ik/solvers/ik_solvers.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double least_newton_damping = 1e-6, most_damping = 1e6, first_damping = 0.25;  // of the error's norm
constexpr double damping_factor = 4.0;
constexpr double null_space_damping = 1e-8;
constexpr double preferred_within = 1e-2;  // radians: nearer to the preferred pose than this need not be

void find_above(const IkBody& body, std::vector<uint8_t>& above) {
    const size_t n = body.joints.size();
    above.assign(n * n, 0);
    for (size_t b = 0; b < n; ++b)
        for (auto a = static_cast<int32_t>(b); a >= 0; a = body.joints[at(a)].parent) above[at(a) * n + b] = 1;
}

// H = JᵀJ − Σ error · (second derivatives of the positions).
void fill_hessian(const IkBody& body, const IkJacobian& jacobian, std::span<const uint8_t> above,
                  std::vector<double>& h) {
    const size_t n = jacobian.columns, joints = body.joints.size();
    h.assign(n * n, 0.0);
    for (size_t r = 0; r < jacobian.rows; ++r)
        for (size_t a = 0; a < n; ++a)
            if (const double x = jacobian.row(r)[a]; x != 0.0)
                for (size_t b = 0; b <= a; ++b) h[a * n + b] += x * jacobian.row(r)[b];
    size_t row = 0;
    for (const BodyGoal& goal : body.goals) {
        if (goal.has_position) {
            const Vec3d error(jacobian.error[row], jacobian.error[row + 1], jacobian.error[row + 2]);
            const double *x = jacobian.row(row), *y = jacobian.row(row + 1), *z = jacobian.row(row + 2);
            // error · (a × moved_b) = (error × a) · moved_b
            for (size_t a = 0; a < n; ++a) {
                const auto joint_a = at(jacobian.freedoms[a].joint);
                const Vec3d across = error.cross(jacobian.freedoms[a].axis);
                for (size_t b = 0; b < n; ++b) {
                    const auto joint_b = at(jacobian.freedoms[b].joint);
                    if (!above[joint_a * joints + joint_b]) continue;
                    const double second = across.x() * x[b] + across.y() * y[b] + across.z() * z[b];
                    // Of one joint's own turns the order is open: the mean of both.
                    h[std::max(a, b) * n + std::min(a, b)] -= joint_a == joint_b && a != b ? 0.5 * second : second;
                }
            }
        }
        row += 3 * (size_t{goal.has_position} + size_t{goal.has_orientation});
    }
}

// One damped Newton step that brings the cost down; raises the damping until it does.
void newton_step(IkMemory& memory, const IkTask& task, double& damping) {
    IkBody& body = memory.body;
    IkJacobian& jacobian = memory.jacobian;
    const size_t n = jacobian.columns;
    fill_hessian(body, jacobian, memory.above, memory.matrix);
    const double norm = std::sqrt(dot(jacobian.error.data(), jacobian.error.data(), jacobian.rows));
    const double before = body_cost(body);
    body.before_step.assign(body.local.begin(), body.local.end());
    for (; damping < most_damping; damping *= damping_factor) {
        memory.old.assign(memory.matrix.begin(), memory.matrix.end());
        for (size_t i = 0; i < n; ++i) memory.old[i * n + i] += damping * norm;
        transpose_times(jacobian, jacobian.error, jacobian.step);
        if (!solve_positive(memory.old, jacobian.step)) continue;
        limit_step(jacobian, jacobian.step, task.largest_turn);
        take_step(body, jacobian);
        if (body_cost(body) < before) {
            damping = std::max(least_newton_damping, damping / damping_factor);
            return;
        }
        body.local.assign(body.before_step.begin(), body.before_step.end());
        place_joints(body);
    }
    damping = first_damping;
}

// A step towards the preferred pose that moves no goal, to first order. Returns how far a joint still had to go.
double preferred_null_step(IkMemory& memory, const IkTask& task) {
    IkBody& body = memory.body;
    IkJacobian& jacobian = memory.jacobian;
    const size_t m = jacobian.rows, n = jacobian.columns;
    fill_jacobian(body, jacobian);
    memory.extra.resize(m), memory.matrix.resize(m * m);
    preferred_step(body, jacobian, task.problem.preferred, jacobian.step);
    for (size_t r = 0; r < m; ++r) {
        memory.extra[r] = dot(jacobian.row(r), jacobian.step.data(), n);
        for (size_t s = 0; s <= r; ++s) memory.matrix[r * m + s] = dot(jacobian.row(r), jacobian.row(s), n);
        memory.matrix[r * m + r] += null_space_damping;
    }
    if (!solve_positive(memory.matrix, memory.extra)) return 0.0;
    double largest = 0.0;
    for (size_t c = 0; c < n; ++c) {
        for (size_t r = 0; r < m; ++r) jacobian.step[c] -= memory.extra[r] * jacobian.row(r)[c];
        largest = std::max(largest, std::abs(jacobian.step[c]));
    }
    limit_step(jacobian, jacobian.step, 0.5 * task.largest_turn);
    take_step(body, jacobian);
    return largest;
}

}  // namespace

int solve_newton(IkMemory& memory, const IkTask& task) {
    IkBody& body = memory.body;
    set_up_jacobian(body, memory.jacobian);
    find_above(body, memory.above);
    const bool has_preference = !task.problem.preferred.empty();
    double damping = first_damping;
    return iterate(body, task.options, task.budget, has_preference, [&] {
        const double left = has_preference ? preferred_null_step(memory, task) : 0.0;
        fill_jacobian(body, memory.jacobian);
        newton_step(memory, task, damping);
        return left > preferred_within;
    });
}

}  // namespace sinew
