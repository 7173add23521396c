// Calibration: what the product of all cues is worth, as the share of fits with such a product that are right.
// Data flow: fit/confidence.h's product → *here* → RigResult::confidence.
#pragma once

#include <array>
#include <cstddef>

namespace sinew {

// A fit is right when its kind is, it faces the right way, and its joints are within 3.5% of the height of the artist's
// in the mean (5% for animals).
struct CalibrationRow {
    double product = 0.0;  // of the cues
    double right = 0.0;    // the share of fits that are
};

// Rises; between rows it is interpolated. Measured by `script/bench rig --what calibration` (which prints the rows) on
// 408 fits of the tests' characters, as they are, posed, dressed, stretched and damaged, by isotonic regression
// [Ayer1955]; drawn through the middle of its steps. Of a rig that is grown from the branches of what is no creature,
// and of a template put in by search, nothing is measured, and its number stays.
inline constexpr std::array calibration = {
    CalibrationRow{0.00, 0.00}, CalibrationRow{0.30, 0.10}, CalibrationRow{0.46, 0.17},
    CalibrationRow{0.60, 0.40}, CalibrationRow{0.67, 0.51}, CalibrationRow{0.76, 0.77},
    CalibrationRow{0.85, 0.83}, CalibrationRow{0.96, 0.88}, CalibrationRow{1.00, 0.93},
};

constexpr double calibrated(double product) {
    for (std::size_t k = 1; k < calibration.size(); ++k) {
        const CalibrationRow &low = calibration[k - 1], &high = calibration[k];
        if (product > high.product) continue;
        return low.right + (high.right - low.right) * (product - low.product) / (high.product - low.product);
    }
    return calibration.back().right;
}

}  // namespace sinew
