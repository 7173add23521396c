// Morph targets: sparse deltas added to a mesh before it is skinned.
// Data flow: io → *here*, with Pose::morphs → skin/deform.h.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// Moves vertices[i] by positions[i]; normals and tangents are empty or as long. vertices are increasing.
struct MorphTarget {
    std::string name;
    std::vector<uint32_t> vertices;
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;
    std::vector<Vec3> tangents;
};

// Adds weight × delta for every target with a non-zero weight. Spans that are empty are left out; normals and tangents
// are not renormalised here (the deformer does it). Missing weights count as 0.
struct MorphBuffers {
    std::span<Vec3> positions = {};
    std::span<Vec3> normals = {};
    std::span<Vec4> tangents = {};
};
void apply_morphs(std::span<const MorphTarget> targets, std::span<const float> weights, const MorphBuffers& buffers);

}  // namespace sinew
