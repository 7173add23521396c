// Selectively damped least squares [BussKim2005]: as the pseudo-inverse, but each singular value is damped by itself,
// and only as much as it needs: by how far the goals would move if the joints turned as this singular value asks,
// against how far they should. So a straight chain does not jump, and the other directions are as fast as if nothing
// were the matter.
#include <sinew/ik/body/ik_loop.h>
#include <sinew/ik/solvers/ik_solvers.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double block_norm(const double* v, size_t stride) {
    const double x = v[0], y = v[stride], z = v[2 * stride];
    return std::sqrt(x * x + y * y + z * z);
}

// ρ: how far all goals move when a joint turns by one radian. A joint with three axes moves a tip at distance r by r
// about two of them, whichever way its axes stand: √(r² + r²) is twice too much under the root.
void joint_reach(const IkJacobian& jacobian, std::vector<double>& reach) {
    for_each_joint(jacobian, [&](const Freedom&, size_t first, size_t end) {
        double sum = 0.0;
        for (size_t r = 0; r < jacobian.rows; r += 3) {
            double squared = 0.0;
            for (size_t c = first; c < end; ++c)
                squared += std::pow(block_norm(jacobian.row(r) + c, jacobian.columns), 2.0);
            sum += std::sqrt(end - first == 1 ? squared : 0.5 * squared);
        }
        reach[first] = sum;
    });
}

}  // namespace

int solve_damped_least_squares(IkMemory& memory, const IkTask& task) {
    constexpr double vanishes = 1e-9;  // a singular value that only rounding has made
    IkBody& body = memory.body;
    IkJacobian& jacobian = memory.jacobian;
    set_up_jacobian(body, jacobian);
    const size_t rows = jacobian.rows, columns = jacobian.columns;
    std::vector<double>&reach = memory.extra, &part = memory.old;
    reach.resize(columns), part.resize(columns);
    return iterate(body, task.options, task.budget, false, [&] {
        fill_jacobian(body, jacobian);
        joint_reach(jacobian, reach);
        decompose_rows(jacobian);
        std::ranges::fill(jacobian.step, 0.0);
        for (size_t i = 0; i < rows; ++i) {
            const double sigma = jacobian.sigma[i];
            if (!(sigma > vanishes)) continue;
            double along = 0.0, wanted = 0.0, moved = 0.0;  // α, N and M of the paper
            for (size_t r = 0; r < rows; ++r) along += jacobian.u[r * rows + i] * jacobian.error[r];
            for (size_t r = 0; r < rows; r += 3) wanted += block_norm(&jacobian.u[r * rows + i], rows);
            // The row holds σ vᵀ.
            for_each_joint(jacobian, [&](const Freedom&, size_t first, size_t end) {
                const double* v = jacobian.row(i) + first;
                moved += std::sqrt(dot(v, v, end - first)) * reach[first] / (sigma * sigma);
            });
            for (size_t c = 0; c < columns; ++c) part[c] = along / (sigma * sigma) * jacobian.row(i)[c];
            limit_step(jacobian, part, task.largest_turn * std::min(1.0, wanted / moved));
            for (size_t c = 0; c < columns; ++c) jacobian.step[c] += part[c];
        }
        limit_step(jacobian, jacobian.step, task.largest_turn);
        take_falling_step(body, jacobian);
        return false;
    });
}

}  // namespace sinew
