// Transform: translation, rotation, scale — one joint's place in its parent, the unit that clips animate.
// Data flow: clip/clip.h → Transform → skeleton/pose.h.
#pragma once

#include <sinew/math/types.h>

namespace sinew {

// parent_from_local: scale first, then rotate, then translate. Mirroring is a negative scale.
struct Transform {
    Vec3 translation = Vec3::Zero();
    Quat rotation = Quat::Identity();
    Vec3 scale = Vec3::Ones();

    bool operator==(const Transform& other) const {
        return translation == other.translation && rotation.coeffs() == other.rotation.coeffs() && scale == other.scale;
    }
};

// The same as a matrix, worked out in float and in double.
Affine to_affine(const Transform& transform);
AffineD to_affine_d(const Transform& transform);

// The nearest Transform to a matrix, and how far from it: the largest entry of the difference divided by the largest
// column length. A matrix with shear leaves a shear_error above 1e-4; one without, about 1e-7.
struct Decomposition {
    Transform transform;
    double shear_error = 0.0;
};
Decomposition decompose(const AffineD& matrix);

}  // namespace sinew
