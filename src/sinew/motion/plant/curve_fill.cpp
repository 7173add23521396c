#include <sinew/motion/plant/curve_fill.h>

#include <sinew/motion/plant/banded.h>
#include <array>
#include <cmath>

namespace sinew {

std::vector<Vec3d> fill_curve(std::span<const Vec3d> values, const std::vector<bool>& known, double fade, double fps) {
    constexpr double hold = 1e8;  // against second differences of 1: known values are kept to eight digits
    constexpr size_t band = 2;
    const size_t n = values.size();
    BandedSystem system(n, band);
    const double pull = std::pow(fade * fps, -4.0);
    std::array<std::vector<double>, 3> x;
    for (auto& component : x) component.assign(n, 0.0);
    for (size_t f = 0; f < n; ++f) {
        system.add(f, f, known[f] ? hold : pull);
        for (size_t c = 0; known[f] && c < 3; ++c) x[c][f] = hold * values[f][static_cast<Eigen::Index>(c)];
        if (f < 2) continue;
        constexpr std::array stencil = {1.0, -2.0, 1.0};
        for (size_t i = 0; i < 3; ++i)
            for (size_t j = 0; j <= i; ++j) system.add(f - 2 + i, f - 2 + j, stencil[i] * stencil[j]);
    }
    std::vector<Vec3d> filled(n, Vec3d::Zero());
    if (!system.factor()) return filled;
    for (size_t c = 0; c < 3; ++c) {
        system.solve(x[c]);
        for (size_t f = 0; f < n; ++f) filled[f][static_cast<Eigen::Index>(c)] = x[c][f];
    }
    return filled;
}

}  // namespace sinew
