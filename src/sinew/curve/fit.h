// Curve fitting: dense samples (mocap, a simulation) → few cubic keys that an animator can edit.
// Data flow: times and values → *here* → Curve.
#pragma once

#include <sinew/curve/curve.h>
#include <span>

namespace sinew {

template <class Value>
struct CurveFit {
    Curve<Value> curve;        // cubic keys at times of some of the samples, and through them unless free_values
    double worst_error = 0.0;  // an upper bound of the distance, at the samples and everywhere between them
};

struct FitOptions {
    Between between = Between::cubic;  // or linear
    // For editing: slopes equal on both sides of a key wherever the tolerance leaves room. Without it there are about
    // half as many keys, with corners that the tolerance hides.
    bool smooth = true;
    // Cubic keys need not lie on a sample: noise within the tolerance costs fewer keys. Not with `smooth`.
    bool free_values = false;
    // Where this is not empty: the tolerance at each sample, in place of the one for all.
    std::span<const double> tolerances = {};
};

// The curve stays within `tolerance` of the straight lines between the samples, everywhere. Each key is put as late as
// the tolerance allows; slopes are fitted by least squares. Times strictly increasing, at least one; everything finite.
// O(n log n). Value is double, Vec3d, or Eigen::Vector4d for quaternions.
template <class Value>
CurveFit<Value> fit_curve(std::span<const double> times, std::span<const Value> values, double tolerance,
                          const FitOptions& options = {});

}  // namespace sinew
