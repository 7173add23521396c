#include <sinew/motion/plant/leg_motion.h>

#include <sinew/math/interpolate.h>
#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

int32_t drive_of(const std::vector<Drive>& drives, int32_t joint) {
    const auto it = std::ranges::find(drives, joint, &Drive::target);
    return joint < 0 || it == drives.end() ? -1 : static_cast<int32_t>(it - drives.begin());
}

void resize(LegMotion& leg, size_t frames) {
    for (auto* curve : {&leg.hip, &leg.knee, &leg.ankle, &leg.ball, &leg.shin_vector}) curve->resize(frames);
    for (auto* curve : {&leg.thigh, &leg.shin, &leg.foot, &leg.toes, &leg.thigh_above, &leg.shin_above, &leg.foot_above,
                        &leg.toes_above})
        curve->resize(frames);
}

Vec3d across(const Vec3d& v, const Vec3d& unit) {
    return v - v.dot(unit) * unit;
}

}  // namespace

std::array<LegMotion, 2> record_legs(const Body& target, const std::vector<Drive>& drives, const TargetMotion& motion) {
    std::array<LegMotion, 2> legs;
    std::array<std::array<int32_t, 4>, 2> joints;
    std::array<Vec3d, 2> ankle_in_shin = {Vec3d::Zero(), Vec3d::Zero()};
    for (size_t side = 0; side < 2; ++side) {
        LegMotion& leg = legs[side];
        const auto roles = leg_roles(side);
        joints[side] = {target.map[roles[0]], target.map[roles[1]], target.map[roles[2]], toe_joint(target, side)};
        for (size_t i = 0; i < 4; ++i) leg.drive[i] = drive_of(drives, joints[side][i]);
        if (!leg.complete()) continue;
        leg.ball_in_foot = ball_in_foot(target, side);
        const Drive& thigh = drives[static_cast<size_t>(leg.drive[0])];
        const Drive &shin = drives[static_cast<size_t>(leg.drive[1])],
                    &foot = drives[static_cast<size_t>(leg.drive[2])];
        leg.left_in_shin = shin.target_reference.conjugate() * Vec3d(target.frame.col(0));
        leg.left_in_foot = foot.target_reference.conjugate() * Vec3d(target.frame.col(0));
        leg.heading_in_foot =
            target.reference.rotation[static_cast<size_t>(joints[side][2])].conjugate() * target.feet[side].heading;
        leg.hinge_in_thigh = thigh.target_reference.conjugate() * Vec3d(target.frame.col(0));
        leg.loose_foot = is_loose_foot(target.skeleton, target.map, side);
        const auto rest = [&](size_t i) { return target.reference.position[static_cast<size_t>(joints[side][i])]; };
        ankle_in_shin[side] =
            target.reference.rotation[static_cast<size_t>(joints[side][1])].conjugate() * (rest(2) - rest(1));
        const double shortest = 1e-6 * target.leg;
        if ((rest(1) - rest(0)).norm() < shortest || (rest(2) - rest(1)).norm() < shortest) leg.drive.fill(-1);
        if (leg.complete()) resize(leg, motion.hips.size());
    }
    for (size_t f = 0; f < motion.hips.size(); ++f) {
        const WorldPose pose = target_pose_at(target, drives, motion, f);
        for (size_t side = 0; side < 2; ++side) {
            LegMotion& leg = legs[side];
            if (!leg.complete()) continue;
            const auto place = [&](size_t i) { return pose.position[static_cast<size_t>(joints[side][i])]; };
            const auto turn = [&](size_t i) { return pose.rotation[static_cast<size_t>(joints[side][i])]; };
            const auto above = [&](size_t i) {
                const int32_t parent = target.skeleton.parents()[static_cast<size_t>(joints[side][i])];
                return parent < 0 ? Quatd(Quatd::Identity()) : pose.rotation[static_cast<size_t>(parent)];
            };
            const bool toes = joints[side][3] >= 0;
            leg.hip[f] = place(0), leg.knee[f] = place(1), leg.ankle[f] = place(2);
            if (leg.loose_foot) leg.ankle[f] = leg.knee[f] + turn(1) * ankle_in_shin[side];
            leg.thigh[f] = turn(0), leg.shin[f] = turn(1), leg.foot[f] = turn(2);
            leg.thigh_above[f] = above(0), leg.shin_above[f] = above(1), leg.foot_above[f] = above(2);
            leg.toes[f] = toes ? turn(3) : leg.foot[f];
            leg.toes_above[f] = toes ? above(3) : leg.foot[f];
            leg.ball[f] = leg.ankle[f] + leg.foot[f] * leg.ball_in_foot;
            leg.shin_vector[f] = leg.ankle[f] - leg.knee[f];
        }
    }
    return legs;
}

void turn_foot(LegMotion& leg, size_t f, const Quatd& foot) {
    const Quatd turn = foot * leg.foot[f].conjugate();
    leg.foot[f] = foot;
    leg.toes[f] = (turn * leg.toes[f]).normalized();
    leg.toes_above[f] = (turn * leg.toes_above[f]).normalized();
    leg.ball[f] = leg.ankle[f] + foot * leg.ball_in_foot;
}

void move_foot(LegMotion& leg, size_t f, const Vec3d& ankle) {
    leg.ankle[f] = ankle;
    leg.ball[f] = ankle + leg.foot[f] * leg.ball_in_foot;
}

void move_leg(LegMotion& leg, size_t f, const Vec3d& hip, const Vec3d& ankle) {
    constexpr double straight_bend = 0.035, clear_bend = 0.14;  // radians: 2° and 8°, where a knee's axis is known
    constexpr double least_bend = 0.005;
    const Vec3d thigh = leg.knee[f] - leg.hip[f], shin = leg.shin_vector[f];
    const double a = thigh.norm(), b = shin.norm();
    if (!(a > 0.0) || !(b > 0.0)) return;
    const Vec3d along = thigh / a;
    const Vec3d goal = ankle - hip;
    const double d = goal.norm();

    const Vec3d hinge = across(leg.thigh[f] * leg.hinge_in_thigh, along);
    Vec3d axis = along.cross(shin / b);
    const double now = std::atan2(axis.norm(), along.dot(shin / b));
    const bool forwards = axis.dot(hinge) < 0.0;
    if (axis.norm() > 1e-12) axis.normalize();
    // A knee that is bent the wrong way by a little counts as straight; one that is bent so by much stays so.
    if (forwards && now < clear_bend) axis = -axis;
    const double trust = smoothstep((now - straight_bend) / (clear_bend - straight_bend));
    axis = across(trust * axis + (1.0 - trust) * (hinge.norm() > 1e-9 ? Vec3d(hinge.normalized()) : axis), along);
    if (!(axis.norm() > 1e-9)) axis = along.unitOrthogonal();
    axis.normalize();

    const double cosine = std::clamp((d * d - a * a - b * b) / (2.0 * a * b), -1.0, std::cos(least_bend));
    const double bend = std::acos(cosine);
    const Vec3d bent = b * (std::cos(bend) * along + std::sin(bend) * axis.cross(along));
    const Quatd shin_turn = shortest_rotation(shin, bent);
    const Quatd swing = shortest_rotation(thigh + bent, goal);
    leg.hip[f] = hip;
    leg.knee[f] = hip + swing * thigh;
    leg.ankle[f] = leg.knee[f] + swing * bent;
    leg.ball[f] = leg.ankle[f] + leg.foot[f] * leg.ball_in_foot;
    leg.thigh[f] = swing * leg.thigh[f];
    leg.shin_above[f] = swing * leg.shin_above[f];
    leg.shin[f] = swing * shin_turn * leg.shin[f];
    if (!leg.loose_foot) leg.foot_above[f] = swing * shin_turn * leg.foot_above[f];
    leg.shin_vector[f] = swing * bent;
}

void store_leg(const LegMotion& leg, size_t f, TargetMotion& motion) {
    const auto put = [&](size_t i, const Quatd& above, const Quatd& own) {
        if (leg.drive[i] >= 0)
            motion.rotation[static_cast<size_t>(leg.drive[i])][f] = (above.conjugate() * own).normalized();
    };
    put(0, leg.thigh_above[f], leg.thigh[f]);
    put(1, leg.shin_above[f], leg.shin[f]);
    put(2, leg.foot_above[f], leg.foot[f]);
    put(3, leg.toes_above[f], leg.toes[f]);
}

}  // namespace sinew
