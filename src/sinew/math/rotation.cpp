#include <sinew/math/rotation.h>

#include <cmath>

namespace sinew {

// Eigen's Quaternion::FromTwoVectors compiles a singular value decomposition into every caller (some seconds each), and
// what it gives for a zero vector, or for nearly opposite ones, is not unit.
Quatd shortest_rotation(const Vec3d& from, const Vec3d& to) {
    const Vec3d a = from.normalized(), b = to.normalized();
    if (a.isZero(0) || b.isZero(0)) return Quatd::Identity();
    const double cosine = b.dot(a);
    Quatd result;
    if (cosine > 0.0) {
        // cos(θ/2) = √((1 + cos θ) / 2), sin(θ/2) = sin θ / (2 cos(θ/2)): as Eigen has it, to the last bit.
        const double twice = std::sqrt((1.0 + cosine) * 2.0), inverse = 1.0 / twice;
        result.vec() = a.cross(b) * inverse;
        result.w() = twice * 0.5;
        return result;
    }
    if (cosine > -1.0 + 1e-12) {
        // Towards the opposite, rounding would show in the length. (1 + cos θ, sin θ · axis) is 2 cos(θ/2) times the
        // rotation.
        result.w() = 1.0 + cosine;
        result.vec() = a.cross(b);
    } else {  // rounding has eaten the axis
        result.w() = 0.0;
        result.vec() = a.unitOrthogonal();
    }
    return result.normalized();
}

}  // namespace sinew
