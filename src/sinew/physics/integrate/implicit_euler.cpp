// Implicit Euler: the velocity v at the end of the step is the root of r(v) = M (v − v0) − h f(x0 + h v, v). Newton's
// method solves (M − h ∂f/∂v − h² ∂f/∂x) Δv = −r by conjugate gradients, with the masses as preconditioner.
#include <sinew/physics/integrate/integrator.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A step that does not make the residual smaller is halved this many times, then taken as it is.
constexpr int most_halvings = 8;
// Differences of a force are taken this far apart, as a share of the coordinates: the root of a double's precision.
constexpr double difference_share = 1e-7;

double inner(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

double largest(std::span<const double> a) {
    double most = 0.0;
    for (const double value : a) most = std::max(most, std::abs(value));
    return most;
}

}  // namespace

// r_ for the velocities v_, which also sets x_ = x0 + h v; the size of it in M⁻¹, an energy.
double Integrator::residual(const Forces& forces, double h, const MotionState& state) {
    for (size_t i = 0; i < mass_.size(); ++i) x_[i] = state.x[i] + h * v_[i];
    forces.force(state.time + h, x_, v_, f_);
    double size = 0.0;
    for (size_t i = 0; i < mass_.size(); ++i) {
        r_[i] = mass_[i] * (v_[i] - state.v[i]) - h * f_[i];
        size += r_[i] * r_[i] / mass_[i];
    }
    return std::sqrt(size);
}

// out = ∂f/∂x h·direction + ∂f/∂v direction at x_, v_.
void Integrator::change(const Forces& forces, double time, double h, std::span<const double> direction,
                        std::span<double> out) {
    for (size_t i = 0; i < mass_.size(); ++i) dx_[i] = h * direction[i];
    if (forces.change) return forces.change(time, x_, v_, dx_, direction, out);
    const double length = largest(direction);
    std::ranges::fill(out, 0.0);
    if (length == 0.0) return;
    const double share = difference_share * (1.0 + std::max(largest(x_), largest(v_))) / length;
    auto& moved_x = k_[0];
    auto& moved_v = k_[1];
    for (const double sign : {1.0, -1.0}) {
        for (size_t i = 0; i < mass_.size(); ++i) {
            moved_x[i] = x_[i] + sign * share * dx_[i];
            moved_v[i] = v_[i] + sign * share * direction[i];
        }
        forces.force(time, moved_x, moved_v, diff_);
        for (size_t i = 0; i < mass_.size(); ++i) out[i] += sign * diff_[i] / (2.0 * share);
    }
}

// step_ = −A⁻¹ r_, where A is the matrix above. Stops where A turns out not to be positive along a direction: as far as
// it got, the step goes downhill.
void Integrator::solve_linear(const Forces& forces, double time, double h) {
    const size_t n = mass_.size();
    std::ranges::fill(step_, 0.0);
    double rz = 0.0;
    for (size_t i = 0; i < n; ++i) {
        cg_r_[i] = -r_[i];
        cg_p_[i] = cg_r_[i] / mass_[i];
        rz += cg_r_[i] * cg_p_[i];
    }
    const double enough = rz * implicit_.conjugate_share * implicit_.conjugate_share;
    for (int k = 0; k < implicit_.conjugate_steps && rz > enough && rz > 0.0; ++k) {
        change(forces, time, h, cg_p_, cg_ap_);
        for (size_t i = 0; i < n; ++i) cg_ap_[i] = mass_[i] * cg_p_[i] - h * cg_ap_[i];
        const double curvature = inner(cg_p_, cg_ap_);
        if (!(curvature > 0.0)) {
            if (k == 0)
                for (size_t i = 0; i < n; ++i) step_[i] = cg_p_[i];
            return;
        }
        const double alpha = rz / curvature;
        double next = 0.0;
        for (size_t i = 0; i < n; ++i) {
            step_[i] += alpha * cg_p_[i];
            cg_r_[i] -= alpha * cg_ap_[i];
            next += cg_r_[i] * cg_r_[i] / mass_[i];
        }
        const double beta = next / rz;
        for (size_t i = 0; i < n; ++i) cg_p_[i] = cg_r_[i] / mass_[i] + beta * cg_p_[i];
        rz = next;
    }
}

void Integrator::implicit_step(const Forces& forces, double h, MotionState& state) {
    std::ranges::copy(state.v, v_.begin());
    double size = residual(forces, h, state);
    const double enough = implicit_.tolerance * size;
    for (newton_steps_ = 0; newton_steps_ < implicit_.newton_steps && size > enough;) {
        ++newton_steps_;
        solve_linear(forces, state.time + h, h);
        for (size_t i = 0; i < mass_.size(); ++i) v_[i] += step_[i];
        const double before = size;
        size = residual(forces, h, state);
        double share = 1.0;
        for (int k = 0; k < most_halvings && !(size < before) && implicit_.newton_steps > 1; ++k) {
            share *= 0.5;
            for (size_t i = 0; i < mass_.size(); ++i) v_[i] -= share * step_[i];
            size = residual(forces, h, state);
        }
    }
    std::ranges::copy(v_, state.v.begin());
    std::ranges::copy(x_, state.x.begin());
}

}  // namespace sinew
