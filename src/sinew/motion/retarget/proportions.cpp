#include <sinew/motion/retarget/proportions.h>

#include <sinew/math/interpolate.h>
#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Vec3d at(const Body& body, Role role) {
    return body.reference.position[static_cast<size_t>(body.map[role])];
}

// Hip width over leg length.
double hip_breadth(const Body& body) {
    return (at(body, Role::left_upper_leg) - at(body, Role::right_upper_leg)).norm() / body.leg;
}

// How far the shoulder lies outside the hip, to the side.
double overhang(const Body& body, size_t side) {
    const Vec3d out = (side == 0 ? 1.0 : -1.0) * body.frame.col(0);
    return out.dot(at(body, arm_roles(side)[1]) - at(body, leg_roles(side)[0]));
}

double find_opening(const Body& source, const Body& target, double scale, size_t side) {
    constexpr double share = 0.8;  // of the source's overhang that the target should have
    constexpr double most = 0.3;   // radians
    const auto arm = arm_roles(side);
    const double lack = share * scale * overhang(source, side) - overhang(target, side);
    double length = (at(target, arm[2]) - at(target, arm[1])).norm();
    if (target.map[arm[3]] >= 0) length += (at(target, arm[3]) - at(target, arm[2])).norm();
    return lack > 0.0 && length > 0.0 ? std::min(most, std::asin(std::min(1.0, lack / length))) : 0.0;
}

}  // namespace

Proportions compare_proportions(const Body& source, const Body& target, const Alignment& alignment) {
    Proportions result;
    result.arm.assign(target.skeleton.size(), -1);
    if (alignment.same_build) return result;
    result.tilt = hip_breadth(source) / std::max(1e-9, hip_breadth(target));
    for (size_t side = 0; side < 2; ++side) {
        result.open[side] = find_opening(source, target, alignment.scale, side);
        result.arm[static_cast<size_t>(target.map[arm_roles(side)[1]])] = static_cast<int8_t>(side);
    }
    for (size_t j = 0; j < result.arm.size(); ++j)
        if (const int32_t parent = target.skeleton.parents()[j]; parent >= 0 && result.arm[j] < 0)
            result.arm[j] = result.arm[static_cast<size_t>(parent)];
    return result;
}

Quatd ease_tilt(const Body& target, const Quatd& since_reference, double tilt) {
    const Vec3d up = target.frame.col(1), left = since_reference * Vec3d(target.frame.col(0));
    const Vec3d flat = left - left.dot(up) * up;
    if (tilt >= 1.0 || flat.norm() < 0.3) return Quatd::Identity();
    return shortest_rotation(left, flat + tilt * left.dot(up) * up);
}

Quatd open_arm(const Body& target, const Proportions& proportions, size_t side, const Quatd& hips_since_reference,
               const Vec3d& arm) {
    const double hangs = -arm.normalized().dot(hips_since_reference * Vec3d(target.frame.col(1)));
    const double angle = (side == 0 ? 1.0 : -1.0) * smoothstep((hangs - 0.3) / 0.5) * proportions.open[side];
    return Quatd(Eigen::AngleAxisd(angle, hips_since_reference * Vec3d(target.frame.col(2))));
}

}  // namespace sinew
