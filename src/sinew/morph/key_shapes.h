// Key shapes: whole faces that are mixed by weights that sum to 1, and their other form, deltas from a neutral one.
// Data flow: an artist's shapes → *here* → MorphTargets (morph/morph.h), and back.
#pragma once

#include <sinew/morph/morph.h>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// One whole shape. normals and tangents are empty or as long as positions; a tangent is its direction alone, for the
// handedness belongs to the mesh and does not change.
struct KeyShape {
    std::string name;
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;
    std::vector<Vec3> tangents;
};

// Σ wᵢ shapeᵢ, added up in double. Weights that sum to 1 (non-negative ones: a convex combination) commute with every
// affine motion of the shapes; others are taken as they are. Shapes have equal sizes; an attribute that one of them
// lacks is left out.
KeyShape combine(std::span<const KeyShape> shapes, std::span<const float> weights);

// The shapes but the neutral one as sparse deltas from it, in order. A vertex is listed where a position, normal or
// tangent differs by more than `tolerance` (absolute, in each coordinate).
std::vector<MorphTarget> to_deltas(std::span<const KeyShape> shapes, size_t neutral, float tolerance = 0.0f);

// The neutral shape, then one shape per target with that target at weight 1.
std::vector<KeyShape> to_key_shapes(const KeyShape& neutral, std::span<const MorphTarget> targets);

// The weights of the two forms. Delta weights leave the neutral shape's out; it is 1 − Σ of the others.
std::vector<float> delta_weights(std::span<const float> convex, size_t neutral);
std::vector<float> convex_weights(std::span<const float> deltas, size_t neutral);

}  // namespace sinew
