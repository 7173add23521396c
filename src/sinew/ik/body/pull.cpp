#include <sinew/ik/body/pull.h>

#include <sinew/math/rotation.h>
#include <cmath>

namespace sinew {
namespace {

// The rotation nearest to a matrix, from the identity by small turns [Mueller2016].
Quatd nearest_rotation(const Mat3d& a) {
    constexpr int most_turns = 12;
    constexpr double settled = 1e-6;  // radians
    constexpr double tiny = 1e-12;    // of the matrix: keeps a division finite
    Quatd q = Quatd::Identity();
    if (!(a.norm() > 0.0)) return q;
    for (int i = 0; i < most_turns; ++i) {
        const Mat3d r = q.toRotationMatrix();
        const Vec3d torque = r.col(0).cross(a.col(0)) + r.col(1).cross(a.col(1)) + r.col(2).cross(a.col(2));
        const Vec3d turn = torque / (std::abs(r.cwiseProduct(a).sum()) + tiny * a.norm());
        const double angle = turn.norm();
        if (angle < settled) break;
        q = Quatd(Eigen::AngleAxisd(angle, turn / angle)) * q;
    }
    return q.normalized();
}

// The trace of (turn by θ)ᵀ · A is largest where its derivative by θ is zero.
Quatd best_about(const Vec3d& axis, const Mat3d& a) {
    const Vec3d curl(a(2, 1) - a(1, 2), a(0, 2) - a(2, 0), a(1, 0) - a(0, 1));
    const double sine = axis.dot(curl), cosine = a.trace() - axis.dot(a * axis);
    return Quatd(Eigen::AngleAxisd(sine == 0.0 && cosine == 0.0 ? 0.0 : std::atan2(sine, cosine), axis));
}

}  // namespace

Quatd best_turn(const IkBody& body, size_t joint, const Pull& pull) {
    const IkLimit* limit = body.joints[joint].limit;
    if (const auto* hinge = limit ? std::get_if<HingeLimit>(&limit->shape) : nullptr) {
        const Vec3d axis = parent_rotation(body, joint) * limit->reference * hinge->axis;
        return best_about(axis.normalized(), pull.sum);
    }
    if (pull.vectors == 1 && pull.orientations == 0) return shortest_rotation(pull.from, pull.to);
    return nearest_rotation(pull.sum);
}

}  // namespace sinew
