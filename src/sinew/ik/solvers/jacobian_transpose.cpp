// Jacobian transpose [Wolovich1984]: Jᵀe is the gradient of the error, the way downhill for every joint at once. It
// needs no equation solved; all that is open is how far to go.
//
// The first step is the one that would bring Je nearest to e if the chain were linear [Buss2004]. Later steps take
// their length from the last two gradients [BarzilaiBorwein1988], which costs nothing and saves nine of ten iterations.
#include <sinew/ik/body/ik_loop.h>
#include <sinew/ik/solvers/ik_solvers.h>
#include <cmath>

namespace sinew {

int solve_jacobian_transpose(IkMemory& memory, const IkTask& task) {
    IkBody& body = memory.body;
    IkJacobian& jacobian = memory.jacobian;
    set_up_jacobian(body, jacobian);
    std::vector<double>&gradient = memory.extra, &old = memory.old;
    gradient.resize(jacobian.columns);
    old.assign(jacobian.columns, 0.0);
    bool first = true;
    return iterate(body, task.options, task.budget, false, [&] {
        fill_jacobian(body, jacobian);
        transpose_times(jacobian, jacobian.error, gradient);
        double along = 0.0, squared = 0.0;  // of J·gradient with the error, and with itself
        for (size_t r = 0; r < jacobian.rows; ++r) {
            const double moved = dot(jacobian.row(r), gradient.data(), jacobian.columns);
            along += moved * jacobian.error[r], squared += moved * moved;
        }
        if (!(squared > 0.0)) return false;
        double length = along / squared;
        if (!first) {
            // s is the last step, y the change of the gradient of the cost, which is −gradient.
            double ss = 0.0, sy = 0.0;
            for (size_t c = 0; c < jacobian.columns; ++c) {
                const double s = jacobian.step[c], y = old[c] - gradient[c];
                ss += s * s, sy += s * y;
            }
            if (sy > 0.0) length = ss / sy;
        }
        first = false;
        for (size_t c = 0; c < jacobian.columns; ++c) jacobian.step[c] = length * gradient[c];
        limit_step(jacobian, jacobian.step, task.largest_turn);
        old = gradient;
        take_step(body, jacobian);
        return false;
    });
}

}  // namespace sinew
