// Simulation: a pendulum by two methods, and a scene of falling balls as a clip.
//   simulate
#include <sinew/physics/integrate/integrator.h>
#include <sinew/pipeline/simulate/simulate.h>
#include <sinew/sinew.h>
#include <cmath>
#include <string>

#include "example.h"

int main() {
    // Your own forces, stepped by a method of your choice.
    const sinew::Forces spring{.force = [](double, auto x, auto, auto f) { f[0] = -x[0]; }};
    for (const sinew::Method method : {sinew::Method::explicit_euler, sinew::Method::symplectic_euler}) {
        sinew::MotionState state;
        state.x = {1.0};
        state.v = {0.0};
        sinew::Integrator step(method, {1.0});
        for (int i = 0; i < 1000; ++i) step(spring, 0.05, state);
        const double energy = 0.5 * (state.x[0] * state.x[0] + state.v[0] * state.v[0]);
        std::printf("%s: %s\n", std::string(method_name(method)).c_str(),
                    energy < 0.55 ? "keeps its energy" : "gains energy");
    }

    // A scene, as in docs/simulate.md; the result is a character with one clip.
    const std::string scene = R"({"seconds": 1, "colliders": [{"shape": "plane"}],
                                  "spheres": [{"count": [3, 2, 1], "at": [0, 1, 0], "spacing": 1.2}]})";
    const auto bytes = std::as_bytes(std::span(scene.data(), scene.size()));
    const sinew::SimulateResult fallen = or_exit(sinew::simulate(bytes, {}));
    std::printf("%zu spheres, %zu frames\n", fallen.report.spheres, fallen.report.frames);
}
// Prints:
// explicit Euler: gains energy
// symplectic Euler: keeps its energy
// 6 spheres, 31 frames
