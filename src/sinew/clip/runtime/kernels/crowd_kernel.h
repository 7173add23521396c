// What the crowd kernel is given: eight characters' sampled joints, side by side.
// Data flow: clip/runtime/crowd.cpp → *here* → crowd_kernel.cpp, compiled once per instruction set.
#pragma once

#include <sinew/math/transform.h>
#include <cstdint>
#include <span>

namespace sinew {

constexpr size_t crowd_lanes = 8;
constexpr size_t most_layers = 8;
constexpr size_t joint_floats = 4 * crowd_lanes;   // x y z w of one character after another
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
    std::span<const int32_t> skin_joints;
    std::span<const Affine> inverse_bind;
    Affine* palettes[crowd_lanes] = {};  // null: nobody
};

// Blends the layers and goes down the tree: job.model.
void crowd_model_kernel(const CrowdJob& job);
// model · inverse bind, into each character's palette.
void crowd_palette_kernel(const CrowdJob& job);

}  // namespace sinew
