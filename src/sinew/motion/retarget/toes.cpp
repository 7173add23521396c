#include <sinew/motion/retarget/toes.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double most_lift = 0.9;  // radians: toes bend no further

// How far the toes reach ahead of their joint: to the joints below it, within the proportions of a foot.
double toe_length(const Body& target, size_t side) {
    const FootPoints& foot = target.feet[side];
    const auto ball = static_cast<size_t>(foot.ball_joint);
    const Vec3d from = target.reference.position[ball];
    double reach = 0.0;
    for (size_t j = 0; j < target.skeleton.size(); ++j)
        if (target.skeleton.parents()[j] == foot.ball_joint)
            reach = std::max(reach, (target.reference.position[j] - from).dot(foot.heading));
    const double sole = (from - target.reference.position[static_cast<size_t>(foot.ankle)]).dot(foot.heading);
    return std::clamp(reach, 0.5 * sole, 1.5 * sole);
}

}  // namespace

void lift_toes(const Body& target, const std::vector<Drive>& drives, const FeetPlan& plan, TargetMotion& motion) {
    const Vec3d up = target.frame.col(1);
    for (size_t side = 0; side < 2; ++side) {
        const FootPoints& foot = target.feet[side];
        if (!foot.toes || foot.ball_joint < 0) continue;
        const auto drive = std::ranges::find(drives, foot.ball_joint, &Drive::target);
        const double length = toe_length(target, side);
        if (drive == drives.end() || !(length > 0.0)) continue;
        const auto d = static_cast<size_t>(drive - drives.begin());
        const auto ball = static_cast<size_t>(foot.ball_joint);
        const Vec3d ahead_local = target.reference.rotation[ball].conjugate() * foot.heading;
        const Vec3d hinge_local = target.reference.rotation[ball].conjugate() * foot.heading.cross(up).normalized();
        const auto turned = [&](const WorldPose& pose) { return Vec3d(pose.rotation[ball] * ahead_local); };
        std::vector<double> lift(motion.hips.size(), 0.0);
        for (size_t f = 0; f < lift.size(); ++f) {
            const WorldPose pose = target_pose_at(target, drives, motion, f);
            const double over = std::max(0.0, foot.ball(pose).dot(up) - plan.ball_level[side]);
            const double lowest = std::asin(std::max(-over / length, -1.0)),
                         now = std::asin(std::clamp(turned(pose).dot(up), -1.0, 1.0));
            lift[f] = std::clamp(lowest - now, 0.0, most_lift);
        }
        lift = spread_peaks(lift, static_cast<std::ptrdiff_t>(std::max(1.0, std::round(0.17 * plan.fps))));
        for (size_t f = 0; f < lift.size(); ++f) {
            const WorldPose pose = target_pose_at(target, drives, motion, f);
            if (lift[f] < 1e-6) continue;
            const Quatd up_turn(Eigen::AngleAxisd(lift[f], pose.rotation[ball] * hinge_local));
            const Quatd above = pose.rotation[static_cast<size_t>(target.skeleton.parents()[ball])];
            motion.rotation[d][f] = (above.conjugate() * up_turn * pose.rotation[ball]).normalized();
        }
    }
}

}  // namespace sinew
