// Principal components of a set of shapes: the mean face and the few directions in which faces differ most.
// Data flow: shapes or MorphTargets' results → *here* → a small basis, whose components are morph targets again.
#pragma once

#include <sinew/math/types.h>
#include <sinew/morph/morph.h>
#include <span>
#include <vector>

namespace sinew {

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
