// Curve fitting: dense samples (mocap, a simulation) → few cubic keys that an animator can edit.
// Data flow: times and values → *here* → Curve.
#pragma once

#include <sinew/curve/curve.h>
#include <span>

namespace sinew {

template <class Value>
struct CurveFit {
    Curve<Value> curve;        // cubic keys at some of the samples, through them
    double worst_error = 0.0;  // an upper bound of the distance, at the samples and everywhere between them
};

struct FitOptions {
    Between between = Between::cubic;  // or linear
};

// The curve stays within `tolerance` of the straight lines between the samples, everywhere. Each key is put as late as
// the tolerance allows; slopes are fitted by least squares, equal on both sides of a key wherever the tolerance leaves
// room for it. Times strictly increasing, at least one; everything finite. O(n log n). Value is double, Vec3d, or
// Eigen::Vector4d for quaternions.
template <class Value>
CurveFit<Value> fit_curve(std::span<const double> times, std::span<const Value> values, double tolerance,
                          const FitOptions& options = {});

}  // namespace sinew
