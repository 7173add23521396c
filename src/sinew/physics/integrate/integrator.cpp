#include <sinew/physics/integrate/integrator.h>

#include <sinew/core/check.h>
#include <array>
#include <cstddef>

namespace sinew {

std::string_view method_name(Method method) {
    constexpr std::array<std::string_view, method_count> names = {"explicit Euler", "symplectic Euler", "midpoint",
                                                                  "RK4", "implicit Euler"};
    return names[static_cast<size_t>(method)];
}

Integrator::Integrator(Method method, std::vector<double> masses, const ImplicitOptions& implicit)
    : method_(method), mass_(std::move(masses)), implicit_(implicit) {
    const size_t n = mass_.size();
    for (auto* stages : {k_, kv_})
        for (int i = 0; i < 4; ++i) stages[i].resize(n);
    for (auto* work : {&x_, &v_, &f_, &r_, &step_, &cg_r_, &cg_p_, &cg_ap_, &dx_, &diff_}) work->resize(n);
}

void Integrator::operator()(const Forces& forces, double h, MotionState& state) {
    SINEW_CHECK(state.x.size() == mass_.size() && state.v.size() == mass_.size());
    switch (method_) {
        case Method::explicit_euler:
            explicit_step(forces, h, state);
            break;
        case Method::symplectic_euler:
            symplectic_step(forces, h, state);
            break;
        case Method::midpoint:
            midpoint_step(forces, h, state);
            break;
        case Method::rk4:
            rk4_step(forces, h, state);
            break;
        case Method::implicit_euler:
            implicit_step(forces, h, state);
            break;
    }
    state.time += h;
}

void Integrator::accelerations(const Forces& forces, double time, std::span<const double> x, std::span<const double> v,
                               std::span<double> a) {
    forces.force(time, x, v, a);
    for (size_t i = 0; i < a.size(); ++i) a[i] /= mass_[i];
}

// Place and velocity both go along the slope at the start.
void Integrator::explicit_step(const Forces& forces, double h, MotionState& state) {
    accelerations(forces, state.time, state.x, state.v, k_[0]);
    for (size_t i = 0; i < mass_.size(); ++i) {
        state.x[i] += h * state.v[i];
        state.v[i] += h * k_[0][i];
    }
}

// The place goes along the velocity at the end: a shear of phase space, which keeps its area and so the energy's mean.
void Integrator::symplectic_step(const Forces& forces, double h, MotionState& state) {
    accelerations(forces, state.time, state.x, state.v, k_[0]);
    for (size_t i = 0; i < mass_.size(); ++i) {
        state.v[i] += h * k_[0][i];
        state.x[i] += h * state.v[i];
    }
}

// Both go along the slope at half the step.
void Integrator::midpoint_step(const Forces& forces, double h, MotionState& state) {
    accelerations(forces, state.time, state.x, state.v, k_[0]);
    for (size_t i = 0; i < mass_.size(); ++i) {
        x_[i] = state.x[i] + 0.5 * h * state.v[i];
        v_[i] = state.v[i] + 0.5 * h * k_[0][i];
    }
    accelerations(forces, state.time + 0.5 * h, x_, v_, k_[1]);
    for (size_t i = 0; i < mass_.size(); ++i) {
        state.x[i] += h * v_[i];
        state.v[i] += h * k_[1][i];
    }
}

// Four slopes, weighted 1 2 2 1: Simpson's rule along the step.
void Integrator::rk4_step(const Forces& forces, double h, MotionState& state) {
    constexpr std::array<double, 4> reach = {0.0, 0.5, 0.5, 1.0};
    for (size_t stage = 0; stage < 4; ++stage) {
        for (size_t i = 0; i < mass_.size(); ++i) {
            x_[i] = state.x[i] + (stage > 0 ? reach[stage] * h * kv_[stage - 1][i] : 0.0);
            kv_[stage][i] = state.v[i] + (stage > 0 ? reach[stage] * h * k_[stage - 1][i] : 0.0);
        }
        accelerations(forces, state.time + reach[stage] * h, x_, kv_[stage], k_[stage]);
    }
    for (size_t i = 0; i < mass_.size(); ++i) {
        state.x[i] += h / 6.0 * (kv_[0][i] + 2.0 * kv_[1][i] + 2.0 * kv_[2][i] + kv_[3][i]);
        state.v[i] += h / 6.0 * (k_[0][i] + 2.0 * k_[1][i] + 2.0 * k_[2][i] + k_[3][i]);
    }
}

}  // namespace sinew
