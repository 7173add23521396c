#include <sinew/flock/neighbour_rows.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

constexpr int digit_bits = 11;
constexpr size_t digits = size_t{1} << digit_bits;

}  // namespace

size_t NeighbourRows::find(uint64_t key) const {
    return static_cast<size_t>(std::ranges::lower_bound(cells_, key, {}, &Cell::key) - cells_.begin());
}

void NeighbourRows::build(std::span<const Vec3> positions, float cell) {
    const size_t count = positions.size();
    keys_.resize(count), keys_other_.resize(count), order_.resize(count), order_other_.resize(count);
    cells_.clear();
    if (count == 0) return;
    Vec3 low = positions[0];
    for (const Vec3& p : positions) low = low.cwiseMin(p);
    // The outermost cells stay empty, so that a neighbour's key never runs into the next row.
    constexpr double last_cell = (1 << bits) - 3;
    uint64_t used = 0;
    for (size_t i = 0; i < count; ++i) {
        const auto along = [&](int k) {
            const double cells = (double{positions[i][k]} - double{low[k]}) / double{cell};
            return static_cast<uint64_t>(cells < last_cell ? cells : last_cell) + 1;
        };
        keys_[i] = along(2) << (2 * bits) | along(1) << bits | along(0);
        order_[i] = static_cast<uint32_t>(i);
        used |= keys_[i];
    }
    // Sorts by one digit after another, from the lowest; digits that are all zero cost nothing.
    for (int shift = 0; shift < 3 * bits; shift += digit_bits) {
        if ((used >> shift & (digits - 1)) == 0) continue;
        std::array<uint32_t, digits> place{};
        for (const uint64_t key : keys_) ++place[key >> shift & (digits - 1)];
        uint32_t sum = 0;
        for (uint32_t& p : place) sum += std::exchange(p, sum);
        for (size_t i = 0; i < count; ++i) {
            const uint32_t to = place[keys_[i] >> shift & (digits - 1)]++;
            keys_other_[to] = keys_[i], order_other_[to] = order_[i];
        }
        std::swap(keys_, keys_other_), std::swap(order_, order_other_);
    }
    for (size_t i = 0; i < count; ++i)
        if (i == 0 || keys_[i] != keys_[i - 1]) cells_.push_back({keys_[i], static_cast<uint32_t>(i)});
}

}  // namespace sinew
