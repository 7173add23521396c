#include <sinew/motion/touch/arm_path.h>

#include <sinew/math/angle.h>
#include <sinew/math/interpolate.h>
#include <sinew/motion/rotation_vector.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// An elbow bends from nearly straight to where the forearm meets the upper arm; radians.
constexpr double straightest = 0.03, tightest = 2.6;

Vec3d across(const Vec3d& v, const Vec3d& unit) {
    return v - unit * unit.dot(v);
}

// The axis of the elbow. That of a straight arm lies across the upper arm's own backward direction.
Vec3d hinge_of(const ArmBase& arm, const Vec3d& backward) {
    constexpr double straight = 0.01, bent = 0.05;  // the elbow's distance from the line, in lengths of the arm
    const double length = (arm.elbow - arm.shoulder).norm() + (arm.wrist - arm.elbow).norm();
    const Vec3d line = arm.wrist - arm.shoulder;
    const Vec3d along = line.norm() > 1e-12 ? Vec3d(line.normalized()) : Vec3d(backward.unitOrthogonal());
    const Vec3d bend = across(arm.elbow - arm.shoulder, along), back = across(backward, along);
    const double trust = smoothstep((bend.norm() / std::max(1e-12, length) - straight) / (bent - straight));
    const Vec3d pole = trust * (bend.norm() > 0 ? Vec3d(bend.normalized()) : bend) +
                       (1 - trust) * (back.norm() > 0 ? Vec3d(back.normalized()) : back);
    const Vec3d hinge = pole.cross(along);
    return hinge.norm() > 1e-9 ? Vec3d(hinge.normalized()) : Vec3d(along.unitOrthogonal());
}

}  // namespace

ArmPath record_arm(const BodyMotion& body, const Vec3d& forward, size_t side) {
    ArmPath path;
    path.side = side;
    if (body.shape.arm[side].empty()) return path;
    const auto roles = arm_roles(side);
    for (const PosedShape& pose : body.poses) {
        ArmBase arm{pose.at(roles[1]), pose.at(roles[2]), pose.at(roles[3]), {}, 0, 0, pose.turn_of(roles[3])};
        arm.hinge = hinge_of(arm, pose.turn_of(roles[1]) * -forward);
        const Vec3d upper = arm.elbow - arm.shoulder, lower = arm.wrist - arm.elbow;
        const double bend = angle_between(upper, lower);
        arm.least_bend = std::min(0.0, straightest - bend);
        arm.most_bend = std::max(0.0, tightest - bend);
        path.base.push_back(arm);
        path.hand.push_back(arm.hand);
        path.now.push_back({arm.elbow, arm.wrist, arm.hinge, Quatd::Identity(), Quatd::Identity()});
    }
    path.move.assign(path.base.size(), ArmMove::Zero());
    path.change.assign(path.base.size(), 0.0);
    if (!path.base.empty()) path.forearm = std::max(1e-9, (path.base[0].wrist - path.base[0].elbow).norm());
    return path;
}

ArmPlace move_arm(const ArmBase& base, const ArmMove& move, double forearm) {
    ArmPlace place;
    place.upper = from_rotation_vector(move.head<3>() / forearm);
    place.hinge = place.upper * base.hinge;
    const double bend = std::clamp(move[3] / forearm, base.least_bend, base.most_bend);
    place.lower = Quatd(Eigen::AngleAxisd(bend, place.hinge)) * place.upper;
    place.elbow = base.shoulder + place.upper * (base.elbow - base.shoulder);
    place.wrist = place.elbow + place.lower * (base.wrist - base.elbow);
    return place;
}

PosedShape with_arm(const PosedShape& pose, const ArmPath& path, size_t frame) {
    PosedShape moved = pose;
    if (path.base.empty() || path.move[frame].isZero(0)) return moved;
    const auto roles = arm_roles(path.side);
    const ArmPlace& now = path.now[frame];
    const auto at = [](Role role) { return static_cast<size_t>(role); };
    moved.position[at(roles[2])] = now.elbow;
    moved.position[at(roles[3])] = now.wrist;
    moved.turn[at(roles[1])] = now.upper * moved.turn[at(roles[1])];
    moved.turn[at(roles[2])] = now.lower * moved.turn[at(roles[2])];
    moved.turn[at(roles[3])] = path.hand[frame];
    return moved;
}

}  // namespace sinew
