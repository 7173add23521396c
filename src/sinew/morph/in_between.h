// In-between shapes: one weight that leads through several targets, so that an eyelid closes along an arc.
// Data flow: an animated channel's weight → *here* → one weight per target → morph/morph.h.
#pragma once

#include <sinew/core/result.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// At channel weight `weight` the shape is exactly that of target `target` at 1.
struct InBetween {
    float weight = 1.0f;
    uint32_t target = 0;  // into the MorphTargets that the caller applies
};

// One channel. Between its stations, and between 0 (the neutral shape) and the first, the shape moves in a straight
// line; outside them the first and the last line go on. Stations are increasing and not at 0; negative ones are
// allowed, so that one channel may hold a pair such as frown and smile.
class InBetweenChannel {
public:
    // Sorts. Fails on weights that are 0, equal or not finite, and on a channel without stations.
    static Result<InBetweenChannel> create(std::vector<InBetween> stations);

    std::span<const InBetween> stations() const { return stations_; }

    // Adds this channel's share to target_weights, which are then given to apply_morphs. At most two of them change.
    void apply(float weight, std::span<float> target_weights) const;

private:
    std::vector<InBetween> stations_;  // with the neutral shape between them as {0, no_target}
};

}  // namespace sinew
