// Pseudo-inverse [Whitney1969]: the smallest step that would reach the goal if the chain were linear, which is
// Gauss–Newton. J = U Σ Vᵀ gives it: each singular value σ is a way in which the goals can move, V says which joints do
// it, and dividing by σ says by how much.
//
// Where a chain is nearly straight a σ is nearly zero and its division explodes. Small ones are left out; that, and
// halving steps that make things worse, is all the care there is. damped_least_squares.cpp does better.
#include <sinew/ik/body/ik_loop.h>
#include <sinew/ik/solvers/ik_solvers.h>
#include <algorithm>

namespace sinew {

int solve_pseudo_inverse(IkMemory& memory, const IkTask& task) {
    constexpr double too_small = 1e-3;  // of the largest singular value
    IkBody& body = memory.body;
    IkJacobian& jacobian = memory.jacobian;
    set_up_jacobian(body, jacobian);
    return iterate(body, task.options, task.budget, false, [&] {
        fill_jacobian(body, jacobian);
        decompose_rows(jacobian);
        const double least = too_small * *std::ranges::max_element(jacobian.sigma);
        std::ranges::fill(jacobian.step, 0.0);
        for (size_t i = 0; i < jacobian.rows; ++i) {
            const double sigma = jacobian.sigma[i];
            if (!(sigma > least)) continue;
            double along = 0.0;  // of the error, in this way
            for (size_t r = 0; r < jacobian.rows; ++r) along += jacobian.u[r * jacobian.rows + i] * jacobian.error[r];
            // The row holds σ vᵀ, so one σ more than V.
            for (size_t c = 0; c < jacobian.columns; ++c)
                jacobian.step[c] += along / (sigma * sigma) * jacobian.row(i)[c];
        }
        limit_step(jacobian, jacobian.step, task.largest_turn);
        take_falling_step(body, jacobian);
        return false;
    });
}

}  // namespace sinew
