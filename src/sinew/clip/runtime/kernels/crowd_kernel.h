// What the crowd kernel is given: eight characters' sampled joints, side by side.
// Data flow: clip/runtime/crowd.cpp → *here* → crowd_kernel.cpp, compiled once per instruction set.
#pragma once

#include <sinew/math/transform.h>
#include <cstdint>
#include <span>

namespace sinew {

constexpr size_t crowd_lanes = 8;
constexpr size_t most_layers = 8;
constexpr size_t joint_floats = 4 * crowd_lanes;  // x y z w of one character after another, in this order:
constexpr size_t place_of(size_t character) {     // 0 4 1 5 2 6 3 7, which come into lanes with the fewest shuffles
    return 2 * (character % 4) + character / 4;
}
constexpr size_t model_floats = 12 * crowd_lanes;  // entry by entry, of all characters

struct CrowdJob {
    std::span<const int32_t> parents;
    std::span<const Transform> rest;
    std::span<const uint8_t> placed;  // joints whose translations and scales are given; others have those at rest
    bool scaled = false;
    size_t layers = 1;
    const float* rotations[most_layers] = {};  // joint_floats a joint
    const float* translations[most_layers] = {};
    const float* scales[most_layers] = {};
    alignas(64) float weights[most_layers][crowd_lanes] = {};  // of each character they sum to 1
    float* model = nullptr;                                    // model_floats a joint
    // What the skin takes of each joint: slots[first_slot[j]] to slots[first_slot[j + 1]] are its places in a palette.
    // Empty: no palettes.
    std::span<const uint32_t> first_slot, slots;
    std::span<const Affine> inverse_bind;  // by place
    Affine* palettes = nullptr;            // of the first character; those of the others follow
};

// Blends the layers, goes down the tree (job.model) and, while a joint is at hand, model · inverse bind into each
// character's palette.
void crowd_kernel(const CrowdJob& job);

// Copies past the caches: for more than they hold, which would be read before it is overwritten, and would push out
// all else. Wants the same from those who read it soon after: finish_streaming().
void stream_out(const float* from, size_t count, float* to);
void finish_streaming();

}  // namespace sinew
