// Patches: cloth that moved, as joints and weights: what every engine plays. Data flow: a mesh at rest, its positions
// in each frame → *here* → joints' transforms, Influences → a skinned mesh in a file.
#pragma once

#include <sinew/math/transform.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct PatchOptions {
    size_t joints = 0;     // 0: doubled until the error is small enough
    double error = 0.005;  // metres, the worst of any vertex in any frame
    size_t most = 1024;    // joints
};

struct PatchWeight {
    uint32_t patch = 0;
    float weight = 0.0f;
};

struct Patches {
    static constexpr size_t per_vertex = 4;
    std::vector<uint32_t> centers;               // the vertex at which each joint rests, unturned
    std::vector<PatchWeight> weights;            // per_vertex for each vertex; 0 where there are fewer
    std::vector<Transform> frames;               // frame after frame, one per patch
    double worst_error = 0.0, mean_error = 0.0;  // metres
};

// Each joint stands for the vertices around one vertex, spread evenly over the cloth. Rotations fit the neighbourhood;
// translations are then solved together, so that the sum of squared errors is least. `positions` holds all frames one
// after another. Deterministic for any number of threads.
Patches fit_patches(std::span<const Vec3> rest, std::span<const uint32_t> triangles, std::span<const Vec3> positions,
                    const PatchOptions& options = {});

}  // namespace sinew
