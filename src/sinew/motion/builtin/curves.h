// Curves: the units and cubics in which the built-in motions are written. Data flow: gait.cpp, actions.cpp use it.
#pragma once

#include <cmath>
#include <initializer_list>

namespace sinew {

constexpr double deg = M_PI / 180.0;  // radians in a degree: 30 * deg
constexpr double full_turn = 2.0 * M_PI;

// The cubic from `a` at u = 0 to `b` at u = 1 with the given slopes (per unit of u) at its ends.
inline double hermite(double a, double b, double slope_a, double slope_b, double u) {
    const double u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * slope_a + (3 * u2 - 2 * u3) * b + (u3 - u2) * slope_b;
}

struct CurveKey {
    double time, value;
};

// A smooth curve through the keys that never overshoots them: cubics that are level at every extreme [Fritsch1980].
// Times increase; before the first key and after the last the curve holds.
double curve_at(double time, std::initializer_list<CurveKey> keys);

}  // namespace sinew
