#include <sinew/motion/plant/banded.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace sinew {

BandedSystem::BandedSystem(size_t unknowns, size_t band)
    : unknowns_(unknowns), band_(band), lower_(unknowns * (band + 1), 0.0) {}

void BandedSystem::clear() {
    std::ranges::fill(lower_, 0.0);
}

bool BandedSystem::factor() {
    for (size_t j = 0; j < unknowns_; ++j) {
        double* const own = column(j);
        if (!(own[0] > 0.0) || !std::isfinite(own[0])) return false;
        const size_t last = reach(j);
        for (size_t i = 1; i <= last; ++i) {
            const double share = own[i] / own[0];
            if (share == 0.0) continue;
            const auto count = static_cast<Eigen::Index>(last - i + 1);
            Eigen::Map<Eigen::VectorXd>(column(j + i), count) -=
                share * Eigen::Map<const Eigen::VectorXd>(own + i, count);
        }
        for (size_t i = 1; i <= last; ++i) own[i] /= own[0];
    }
    return true;
}

void BandedSystem::solve(std::span<double> b) const {
    for (size_t j = 0; j < unknowns_; ++j) {
        const double* const own = column(j);
        for (size_t i = 1; i <= reach(j); ++i) b[j + i] -= own[i] * b[j];
    }
    for (size_t j = unknowns_; j-- > 0;) {
        const double* const own = column(j);
        double value = b[j] / own[0];
        for (size_t i = 1; i <= reach(j); ++i) value -= own[i] * b[j + i];
        b[j] = value;
    }
}

}  // namespace sinew
