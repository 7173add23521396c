// Rounding noise: zeros that computing left as 1e-17, otherwise with every compiler and C library. Files show them.
// Data flow: numbers that Sinew made → *here* → what is written.
#pragma once

#include <sinew/math/transform.h>
#include <cmath>

namespace sinew {

// The nearest multiple of 2⁻³²: a quarter of a nanometre, or a tenth of a thousandth of a second of arc. Never −0.
inline float without_noise(double value) {
    constexpr double steps = 4294967296.0;
    const double rounded = std::round(value * steps) / steps;
    return static_cast<float>(rounded + 0.0);
}

inline Transform without_noise(Transform transform) {
    for (int i = 0; i < 3; ++i) {
        transform.translation[i] = without_noise(static_cast<double>(transform.translation[i]));
        transform.scale[i] = without_noise(static_cast<double>(transform.scale[i]));
    }
    for (int i = 0; i < 4; ++i)
        transform.rotation.coeffs()[i] = without_noise(static_cast<double>(transform.rotation.coeffs()[i]));
    return transform;
}

}  // namespace sinew
