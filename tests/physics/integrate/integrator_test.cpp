// Integrators against closed forms: the slope of error over step length, energy over a million steps, stiffness.
#include <doctest/doctest.h>

#include <sinew/physics/integrate/integrator.h>
#include <array>
#include <cmath>

using namespace sinew;

namespace {

struct Problem {
    const char* name;
    Forces forces;
    MotionState start;
    double seconds;
    int steps;  // of the coarsest run, for methods of first order
};

Problem spring_problem() {
    return {
        "spring", {.force = [](double, auto x, auto, auto f) { f[0] = -x[0]; }}, {.x = {1.0}, .v = {0.3}}, 2.0, 256};
}
// As an angle, from far out: not a sine.
Problem pendulum_problem() {
    return {"pendulum",
            {.force = [](double, auto x, auto, auto f) { f[0] = -9.81 * std::sin(x[0]); }},
            {.x = {2.0}, .v = {0.0}},
            1.5,
            512};
}
Problem orbit_problem() {
    return {"orbit",
            {.force =
                 [](double, auto x, auto, auto f) {
                     const double r2 = x[0] * x[0] + x[1] * x[1], r3 = r2 * std::sqrt(r2);
                     f[0] = -x[0] / r3, f[1] = -x[1] / r3;
                 }},
            {.x = {1.0, 0.0}, .v = {0.0, 1.1}},
            2.0,
            512};
}

MotionState run(const Problem& p, Method method, int steps) {
    MotionState state = p.start;
    Integrator step(method, std::vector<double>(state.x.size(), 1.0));
    for (int i = 0; i < steps; ++i) step(p.forces, p.seconds / steps, state);
    return state;
}

double difference(const MotionState& a, const MotionState& b) {
    double sum = 0.0;
    for (size_t i = 0; i < a.x.size(); ++i)
        sum += (a.x[i] - b.x[i]) * (a.x[i] - b.x[i]) + (a.v[i] - b.v[i]) * (a.v[i] - b.v[i]);
    return std::sqrt(sum);
}

double slope(const Problem& p, Method method, const MotionState& truth) {
    const int steps = method == Method::rk4 ? p.steps / 4 : 4 * p.steps;  // far enough down the slope, above rounding
    const double coarse = difference(run(p, method, steps), truth), fine = difference(run(p, method, 4 * steps), truth);
    return std::log2(coarse / fine) / 2.0;
}

double spring_energy(const MotionState& s) {
    return 0.5 * (s.x[0] * s.x[0] + s.v[0] * s.v[0]);
}

}  // namespace

TEST_CASE("integrators: the error falls with the step as the order says") {
    constexpr std::array<double, method_count> order = {1, 1, 2, 4, 1};
    for (const Problem& p : {spring_problem(), pendulum_problem(), orbit_problem()}) {
        const MotionState truth = run(p, Method::rk4, 20000);
        for (int m = 0; m < method_count; ++m) {
            INFO(p.name, ", ", method_name(static_cast<Method>(m)));
            const double found = slope(p, static_cast<Method>(m), truth);
            CHECK(std::abs(found - order[static_cast<size_t>(m)]) <= 0.1);
        }
    }
}

TEST_CASE("integrators: the spring's truth is its closed form") {
    const Problem p = spring_problem();
    const MotionState end = run(p, Method::rk4, 4000);
    CHECK(end.x[0] == doctest::Approx(std::cos(2.0) + 0.3 * std::sin(2.0)).epsilon(1e-12));
    CHECK(end.v[0] == doctest::Approx(-std::sin(2.0) + 0.3 * std::cos(2.0)).epsilon(1e-12));
}

TEST_CASE("symplectic Euler: energy stays within 2 % over a million steps; explicit Euler's does not") {
    const Problem p = spring_problem();
    MotionState state = p.start, wild = p.start;
    Integrator step(Method::symplectic_euler, {1.0}), explicit_step(Method::explicit_euler, {1.0});
    const double start = spring_energy(state), h = 0.02;
    double least = start, most = start;
    for (int i = 0; i < 1'000'000; ++i) {
        step(p.forces, h, state);
        least = std::min(least, spring_energy(state)), most = std::max(most, spring_energy(state));
        if (i < 2000) explicit_step(p.forces, h, wild);
    }
    CHECK(most < 1.02 * start);
    CHECK(least > 0.98 * start);
    CHECK(spring_energy(wild) > 1.5 * start);
}

TEST_CASE("implicit Euler: a net of springs is stable at any stiffness up to 1e8, in steps of 1/60 s") {
    for (const double k : {1.0, 1e2, 1e4, 1e6, 1e8}) {
        // Ten masses on a string between two walls, pulled out of place across it: springs that resist stretch only.
        constexpr size_t n = 10;
        const auto end = [](std::span<const double> x, size_t i) {
            return i == n ? std::pair(11.0, 0.0) : std::pair(x[2 * i], x[2 * i + 1]);
        };
        const Forces net{.force = [k, end](double, auto x, auto, auto f) {
            std::ranges::fill(f, 0.0);
            std::pair<double, double> last = {0.0, 0.0};
            for (size_t i = 0; i <= n; ++i) {
                const auto here = end(x, i);
                const double dx = here.first - last.first, dy = here.second - last.second, l = std::hypot(dx, dy);
                const double pull = k * (l - 1.0) / l;
                if (i < n) f[2 * i] -= pull * dx, f[2 * i + 1] -= pull * dy;
                if (i > 0) f[2 * i - 2] += pull * dx, f[2 * i - 1] += pull * dy;
                last = here;
            }
        }};
        const auto energy = [k, end](const MotionState& s) {
            double e = 0.0;
            std::pair<double, double> last = {0.0, 0.0};
            for (size_t i = 0; i <= n; ++i) {
                const auto here = end(s.x, i);
                const double stretch = std::hypot(here.first - last.first, here.second - last.second) - 1.0;
                e += 0.5 * k * stretch * stretch;
                last = here;
            }
            for (const double v : s.v) e += 0.5 * v * v;
            return e;
        };
        MotionState state;
        for (size_t i = 0; i < n; ++i) {
            state.x.insert(state.x.end(), {static_cast<double>(i + 1), 0.3 * std::sin(static_cast<double>(i + 1))});
            state.v.insert(state.v.end(), {0.0, 1.0});
        }
        Integrator step(Method::implicit_euler, std::vector<double>(2 * n, 1.0));
        double last = energy(state);
        const double start = last;
        bool grew = false;
        for (int i = 0; i < 300; ++i) {
            step(net, 1.0 / 60.0, state);
            grew = grew || energy(state) > last * (1.0 + 1e-6) + 1e-9 * start;
            last = energy(state);
        }
        INFO("k = ", k);
        CHECK_FALSE(grew);
        CHECK(last < start);
    }
}

TEST_CASE("adaptive steps: an eccentric orbit closes, with short steps where it is fast") {
    // a = 1/(2/r − v²) = 1, e = 0.9: the period is 2π.
    const Problem p = orbit_problem();
    MotionState state{.x = {1.9, 0.0}, .v = {0.0, std::sqrt(2.0 / 1.9 - 1.0)}};
    const MotionState start = state;
    const AdaptiveReport done = advance_adaptive(p.forces, std::array{1.0, 1.0}, 2.0 * M_PI, 1e-10, state);
    CHECK(done.finished);
    CHECK(difference(state, start) < 1e-7);
    CHECK(done.steps < 1200);  // RK4 in equal steps needs some 20 times as many evaluations for this
    CHECK(state.time == 2.0 * M_PI);
}

TEST_CASE("adaptive steps: a force that is no number ends the run and says so") {
    MotionState state{.x = {1.0}, .v = {0.0}};
    const Forces broken{.force = [](double t, auto, auto, auto f) { f[0] = t > 0.5 ? NAN : 0.0; }};
    CHECK_FALSE(advance_adaptive(broken, std::array{1.0}, 1.0, 1e-6, state).finished);
    CHECK(std::isfinite(state.x[0]));
}
