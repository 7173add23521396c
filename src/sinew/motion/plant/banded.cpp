#include <sinew/motion/plant/banded.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

BandedSystem::BandedSystem(size_t unknowns, size_t band)
    : unknowns_(unknowns), band_(band), stride_(band + together + at_once), lower_(unknowns * stride_, 0.0) {}

void BandedSystem::clear() {
    std::ranges::fill(lower_, 0.0);
}

// Eliminates the columns [first, first + count) from each other. Leaves D·Lᵀ in them.
bool BandedSystem::eliminate_among(size_t first, size_t count) {
    for (size_t j = first; j < first + count; ++j) {
        const double* const own = column(j);
        if (!(own[0] > 0.0) || !std::isfinite(own[0])) return false;
        for (size_t i = 1; i <= band_ && j + i < first + count; ++i) {
            const double share = own[i] / own[0];
            double* const other = column(j + i);
            for (size_t k = i; k <= band_; ++k) other[k - i] -= share * own[k];
        }
    }
    return true;
}

// Takes the columns [first, first + together) out of all that follow.
void BandedSystem::eliminate(size_t first) {
    using Rows = Eigen::Matrix<double, at_once, 1>;
    const auto rows = [](const double* from) { return Eigen::Map<const Rows>(from); };
    const size_t end = std::min(unknowns_, first + together + band_);
    std::array<const double*, together> own;
    std::array<double, together> inverse;
    for (size_t k = 0; k < together; ++k) own[k] = column(first + k), inverse[k] = 1.0 / own[k][0];
    for (size_t j = first + together; j < end; ++j) {
        const size_t i = j - first;
        const size_t count = band_ + together - i;  // rows from j on that the last of these columns reaches
        const double *a = own[0] + i, *b = own[1] + (i - 1), *c = own[2] + (i - 2), *d = own[3] + (i - 3);
        const double share_a = *a * inverse[0], share_b = *b * inverse[1], share_c = *c * inverse[2],
                     share_d = *d * inverse[3];
        double* const to = column(j);
        for (size_t r = 0; r < count; r += at_once) {
            Eigen::Map<Rows> row(to + r);
            row -= (share_a * rows(a + r) + share_b * rows(b + r)) + (share_c * rows(c + r) + share_d * rows(d + r));
        }
    }
}

bool BandedSystem::factor() {
    size_t j = 0;
    for (; j + together <= unknowns_; j += together) {
        if (!eliminate_among(j, together)) return false;
        eliminate(j);
    }
    if (!eliminate_among(j, unknowns_ - j)) return false;
    for (j = 0; j < unknowns_; ++j) {
        double* const own = column(j);
        const double inverse = 1.0 / own[0];
        for (size_t i = 1; i <= band_; ++i) own[i] *= inverse;
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
