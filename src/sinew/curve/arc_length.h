// Arc length: a path walked at constant speed. A curve's own time runs fast where its keys are far apart; length does
// not. Data flow: Curve<Vec3d> → *here* → a place for each distance.
#pragma once

#include <sinew/curve/curve.h>
#include <vector>

namespace sinew {

// How far along the curve one is at each of many times: the curve's keys and places between them.
struct ArcLength {
    std::vector<double> time, length;
    double total() const { return length.empty() ? 0.0 : length.back(); }
};

// Within the curve's keys. Gauss–Legendre quadrature of the speed: exact to 1e-9 of the length for smooth curves.
// `pieces`: places per segment.
ArcLength measure_arc_length(const Curve<Vec3d>& curve, int pieces = 16);

// The time at which the curve has gone this far, 0 ≤ distance ≤ total(). O(log pieces).
double time_at_distance(const Curve<Vec3d>& curve, const ArcLength& arc, double distance);

// The curve at a share of its length, 0 to 1: constant speed over u. With a warp or ease() as u, any speed you like.
Vec3d evaluate_at_share(const Curve<Vec3d>& curve, const ArcLength& arc, double u);

}  // namespace sinew
