// Key shapes: whole faces that are mixed by weights that sum to 1, and their other form, deltas from a neutral one; and
// in-between shapes, through which one weight leads, so that an eyelid closes along an arc; and the few directions in
// which many shapes differ. Data flow: an artist's shapes → *here* → MorphTargets and their weights (morph/morph.h),
// and back.
#pragma once

#include <sinew/core/result.h>
#include <sinew/morph/morph.h>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// One whole shape. normals and tangents are empty or as long as positions; a tangent is its direction alone, for the
// handedness belongs to the mesh and does not change.
struct KeyShape {
    std::string name = {};
    std::vector<Vec3> positions = {};
    std::vector<Vec3> normals = {};
    std::vector<Vec3> tangents = {};
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

// Principal components of a set of shapes: the mean face and the few directions in which faces differ most.
// Components are orthonormal over all 3·V coordinates, largest variance first. Of each component and its negative, that
// one is taken whose first large entry (above 0.9 of the largest) is positive, so the signs do not depend on the
// solver.
struct ShapePca {
    std::vector<Vec3> mean;
    std::vector<std::vector<Vec3>> components;
    std::vector<double> variances;  // of the scores over the given shapes, with divisor n − 1
    double total_variance = 0.0;    // of all components, also of those left out
};

struct ShapePcaOptions {
    size_t max_components = SIZE_MAX;
    double keep_variance = 1.0;  // stop when the components explain this share of the total
};

// Shapes have equal sizes. n shapes have at most n − 1 components; those whose variance is rounding noise (1e-12 of the
// largest) are left out. O(n² V + n³) by the Gram matrix, in double [Sirovich1987].
ShapePca shape_pca(std::span<const std::vector<Vec3>> shapes, const ShapePcaOptions& options = {});

// A shape's coordinates in the basis, and the shape of given coordinates (missing ones count as 0).
std::vector<double> project(const ShapePca& pca, std::span<const Vec3> shape);
std::vector<Vec3> reconstruct(const ShapePca& pca, std::span<const double> scores);

// The components as targets over the mean, scaled so that weight 1 is one standard deviation.
std::vector<MorphTarget> to_morph_targets(const ShapePca& pca);

}  // namespace sinew
