// Integrators: M x'' = f(x, v, t), one step at a time, by a method of your choice.
// Data flow: forces, a state → *here* → the state a step later → spheres, cloth, your own experiment.
//
//   Forces spring{.force = [](double, auto x, auto, auto f) { f[0] = -x[0]; }};
//   MotionState state{.x = {1.0}, .v = {0.0}};
//   Integrator step(Method::symplectic_euler, {1.0});
//   while (state.time < 10.0) step(spring, 0.01, state);
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

// Places and velocities of all coordinates at a time. Both have the same length.
struct MotionState {
    double time = 0.0;
    std::vector<double> x = {};
    std::vector<double> v = {};
};

// What acts on the coordinates.
struct Forces {
    // Writes the force on each coordinate.
    std::function<void(double time, std::span<const double> x, std::span<const double> v, std::span<double> f)> force;
    // For implicit steps: writes how the force changes when x changes by dx and v by dv, to first order. Symmetric, as
    // the change of any potential is; parts that push away may be left out, which keeps steps stable
    // [BaraffWitkin1998]. Empty: differences of `force` are taken.
    std::function<void(double time, std::span<const double> x, std::span<const double> v, std::span<const double> dx,
                       std::span<const double> dv, std::span<double> df)>
        change = {};
};

enum class Method : uint8_t {
    explicit_euler,    // first order; gains energy
    symplectic_euler,  // first order; energy swings and does not drift
    midpoint,          // second order
    rk4,               // fourth order
    implicit_euler,    // first order; stable for any stiffness, loses energy
};
constexpr int method_count = 5;
std::string_view method_name(Method method);

// How an implicit step is solved: Newton's method, each of its linear systems by conjugate gradients.
struct ImplicitOptions {
    int newton_steps = 20;          // 1: the linearised step of [BaraffWitkin1998]
    int conjugate_steps = 400;      // at most, for each Newton step
    double tolerance = 1e-10;       // of the residual, against that at the start
    double conjugate_share = 1e-3;  // how far each linear system is solved, against its right side
};

// One step after another of one system. Keeps its work space: after the first step nothing is allocated, unless the
// forces do.
class Integrator {
public:
    // One positive mass per coordinate.
    Integrator(Method method, std::vector<double> masses, const ImplicitOptions& implicit = {});

    // Advances the state by h seconds. The state has as many coordinates as there are masses.
    void operator()(const Forces& forces, double h, MotionState& state);

    // How many Newton steps the last implicit step took.
    int newton_steps() const { return newton_steps_; }

private:
    void explicit_step(const Forces& forces, double h, MotionState& state);
    void symplectic_step(const Forces& forces, double h, MotionState& state);
    void midpoint_step(const Forces& forces, double h, MotionState& state);
    void rk4_step(const Forces& forces, double h, MotionState& state);
    void implicit_step(const Forces& forces, double h, MotionState& state);
    void accelerations(const Forces& forces, double time, std::span<const double> x, std::span<const double> v,
                       std::span<double> a);
    double residual(const Forces& forces, double h, const MotionState& state);
    void change(const Forces& forces, double time, double h, std::span<const double> direction, std::span<double> out);
    void solve_linear(const Forces& forces, double time, double h);

    Method method_;
    std::vector<double> mass_;
    ImplicitOptions implicit_;
    int newton_steps_ = 0;
    std::vector<double> k_[4], kv_[4], x_, v_;                            // stages
    std::vector<double> f_, r_, step_, cg_r_, cg_p_, cg_ap_, dx_, diff_;  // implicit
};

// Adaptive steps: advances to `until` by Dormand and Prince's pair of orders 5 and 4 [DormandPrince1980]; each step is
// as long as keeps its own error, in any coordinate, below `tolerance` × (1 + |value|). Allocates per call, not per
// step.
struct AdaptiveReport {
    int steps = 0;         // taken
    int refused = 0;       // tried and too long
    bool finished = true;  // false: the step that the tolerance asks for became too short to move on
};
AdaptiveReport advance_adaptive(const Forces& forces, std::span<const double> masses, double until, double tolerance,
                                MotionState& state);

}  // namespace sinew
