// Similarity: the turn and scale that best take one set of points to another [Umeyama1991].
// Data flow: matched joints → *here* → embed.h, user_template.h.
#pragma once

#include <sinew/math/types.h>
#include <span>
#include <utility>

namespace sinew {

using PointPair = std::pair<Vec3d, Vec3d>;  // from, to

// to ≈ scale · turn · from + shift, in least squares; the identity when all points of a set are equal.
struct Similarity {
    Mat3d turn = Mat3d::Identity();
    double scale = 1.0;
};
Similarity fit_similarity(std::span<const PointPair> pairs);

}  // namespace sinew
