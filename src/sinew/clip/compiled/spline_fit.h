// Least-squares splines on the sample times of a segment: one factorisation for all joints that use the same knots.
// Data flow: segment_plan.h → *here* → encode_item.cpp.
#pragma once

#include <sinew/clip/compiled/clip_format.h>
#include <array>
#include <span>
#include <vector>

namespace sinew {

using Vec3Array = std::vector<std::array<double, 3>>;

// Prepared for places (0 to 1 within the segment) at which values will be given.
class SplineFit {
public:
    SplineFit(SplineKind spline, int intervals, std::span<const float> places);

    SplineKind spline() const { return spline_; }
    int intervals() const { return intervals_; }
    int points() const { return control_points(spline_, intervals_); }
    std::span<const SplineWeights> weights() const { return weights_; }

    // The control points whose spline is nearest to the values, one per place, the ends counting more.
    void fit(std::span<const std::array<double, 3>> values, Vec3Array& control) const;

private:
    SplineKind spline_;
    int intervals_;
    std::vector<SplineWeights> weights_;
    std::vector<double> factor_;  // the lower band of the Cholesky factor, four entries a row, the diagonal last
};

}  // namespace sinew
