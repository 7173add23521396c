#include <sinew/morph/key_shapes.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr uint32_t no_target = UINT32_MAX;

}  // namespace

Result<InBetweenChannel> InBetweenChannel::create(std::vector<InBetween> stations) {
    if (stations.empty()) {
        return fail(ErrorCode::invalid_argument, "the channel has no shapes; give it at least one, at weight 1");
    }
    for (const InBetween& station : stations) {
        if (!std::isfinite(station.weight) || station.target == no_target) {
            return fail(ErrorCode::invalid_argument,
                        "an in-between's weight or target is not a number; give it a finite one");
        }
    }
    stations.push_back({0.0f, no_target});
    std::ranges::sort(stations, {}, &InBetween::weight);
    const auto same = std::ranges::adjacent_find(stations, {}, &InBetween::weight);
    if (same != stations.end()) {
        return fail(ErrorCode::invalid_argument,
                    "two shapes stand at the same weight, or one at 0, where the neutral shape is; move one of them");
    }
    InBetweenChannel channel;
    channel.stations_ = std::move(stations);
    return channel;
}

void InBetweenChannel::apply(float weight, std::span<float> target_weights) const {
    const auto after = std::ranges::upper_bound(stations_, weight, {}, &InBetween::weight);
    const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(stations_.size()) - 1;
    const size_t right = static_cast<size_t>(std::clamp<std::ptrdiff_t>(after - stations_.begin(), 1, last));
    const InBetween &a = stations_[right - 1], &b = stations_[right];
    const float share = (weight - a.weight) / (b.weight - a.weight);
    const auto add = [&](uint32_t target, float amount) {
        if (target == no_target) return;
        SINEW_CHECK(target < target_weights.size());
        target_weights[target] += amount;
    };
    add(a.target, 1.0f - share);
    add(b.target, share);
}

}  // namespace sinew
