#include <sinew/math/angle.h>
#include <sinew/motion/retarget/motion_body.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Vec3d snap_to_axis(const Vec3d& v, double within_deg) {
    Eigen::Index axis = 0;
    v.cwiseAbs().maxCoeff(&axis);
    const Vec3d snapped = Vec3d::Unit(axis) * (v[axis] < 0 ? -1.0 : 1.0);
    return v.normalized().dot(snapped) > std::cos(radians(static_cast<float>(within_deg))) ? snapped : v.normalized();
}

bool hangs_elsewhere(const Skeleton& skeleton, int32_t holder, int32_t end) {
    if (holder < 0 || end < 0) return false;
    while (end > holder) end = skeleton.parents()[static_cast<size_t>(end)];
    return end != holder;
}

void mark_joints(Body& body) {
    const std::vector<int32_t>& parents = body.skeleton.parents();
    body.carries_role.assign(parents.size(), 0);
    body.below_hips.assign(parents.size(), 0);
    for (size_t role = 0; role < static_cast<size_t>(Role::left_thumb_metacarpal); ++role)
        for (int32_t j = body.map.joint[role]; j >= 0; j = parents[static_cast<size_t>(j)])
            body.carries_role[static_cast<size_t>(j)] = 1;
    for (size_t j = 0; j < parents.size(); ++j)
        body.below_hips[j] = static_cast<int32_t>(j) == body.map[Role::hips] ||
                             (parents[j] >= 0 && body.below_hips[static_cast<size_t>(parents[j])]);
}

std::vector<Vec3d> find_bones(const Skeleton& skeleton) {
    constexpr float even = 1e-5f;  // factors that differ by less are one that was rounded
    std::vector<Vec3d> bones;
    std::vector<double> scale;  // of what hangs on each joint
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const Transform& rest = skeleton.rest()[j];
        const int32_t parent = skeleton.parents()[j];
        const double above = parent < 0 ? 1.0 : scale[static_cast<size_t>(parent)];
        if (rest.scale.maxCoeff() - rest.scale.minCoeff() > even * rest.scale.cwiseAbs().maxCoeff()) return {};
        bones.push_back(above * rest.translation.cast<double>());
        scale.push_back(above * double{rest.scale.x()});
    }
    return bones;
}

}  // namespace

WorldPose world_pose(const Skeleton& skeleton, std::span<const Transform> local) {
    std::vector<AffineD> world(skeleton.size());
    local_to_world(skeleton.parents(), local, world);
    WorldPose pose;
    pose.position.reserve(world.size());
    pose.rotation.reserve(world.size());
    for (size_t j = 0; j < world.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        const Quatd own = Quatd(local[j].rotation.cast<double>()).normalized();
        pose.position.push_back(world[j].translation());
        pose.rotation.push_back(parent < 0 ? own
                                           : Quatd((pose.rotation[static_cast<size_t>(parent)] * own).normalized()));
    }
    return pose;
}

Mat3d body_frame(const HumanoidMap& map, const WorldPose& pose) {
    const auto at = [&](Role role) { return pose.position[static_cast<size_t>(map[role])]; };
    Vec3d rise = Vec3d::Zero(), across = Vec3d::Zero();
    for (size_t side = 0; side < 2; ++side) {
        const Vec3d hip = at(leg_roles(side)[0]), shoulder = at(arm_roles(side)[1]);
        rise += (hip - at(leg_roles(side)[1])) + (shoulder - hip);
        across += (hip + shoulder) * (side == 0 ? 1.0 : -1.0);
    }
    const Vec3d up = rise.norm() > 1e-9 ? snap_to_axis(rise, 60.0) : Vec3d(Vec3d::UnitY());
    across -= across.dot(up) * up;
    if (across.norm() < 1e-9) across = Vec3d::UnitX() - up.x() * up;
    if (across.norm() < 1e-9) across = Vec3d::UnitZ();
    const Vec3d left = snap_to_axis(across, 4.0);
    Mat3d frame;
    frame << left, up, left.cross(up);
    return frame;
}

bool is_standing(const HumanoidMap& map, const WorldPose& pose, const Vec3d& up) {
    for (size_t side = 0; side < 2; ++side) {
        const auto at = [&](Role role) { return pose.position[static_cast<size_t>(map[role])]; };
        const Vec3d hip = at(leg_roles(side)[0]), knee = at(leg_roles(side)[1]), shoulder = at(arm_roles(side)[1]);
        const Role foot = leg_roles(side)[2];
        const Vec3d shin = (map[foot] >= 0 ? at(foot) : knee) - knee;
        if ((knee - hip).dot(up) > -0.6 * (knee - hip).norm() || shin.dot(up) > -0.6 * shin.norm()) return false;
        if ((shoulder - hip).dot(up) < 0.5 * (shoulder - hip).norm()) return false;
    }
    return true;
}

Vec3d socket_center(const HumanoidMap& map, const WorldPose& pose) {
    return 0.5 * (pose.position[static_cast<size_t>(map[Role::left_upper_leg])] +
                  pose.position[static_cast<size_t>(map[Role::right_upper_leg])]);
}

double leg_length(const HumanoidMap& map, const WorldPose& pose) {
    double total = 0;
    for (size_t side = 0; side < 2; ++side) {
        const auto roles = leg_roles(side);
        for (size_t i = 0; i < 2; ++i) {
            if (map[roles[i + 1]] < 0) continue;
            total += (pose.position[static_cast<size_t>(map[roles[i + 1]])] -
                      pose.position[static_cast<size_t>(map[roles[i]])])
                         .norm();
        }
    }
    return 0.5 * total;
}

Trunk trunk_of(const Skeleton& skeleton, const HumanoidMap& map) {
    const int32_t hips = map[Role::hips];
    int32_t chest = -1;
    for (const Role role : {Role::spine, Role::chest, Role::upper_chest}) chest = std::max(chest, map[role]);
    int32_t end = map[Role::head] >= 0 ? map[Role::head] : std::max(chest, map[Role::neck]);
    std::vector<int32_t> path;
    for (; end > hips; end = skeleton.parents()[static_cast<size_t>(end)])
        if (end != map[Role::head]) path.push_back(end);
    if (end != hips) path.clear();
    std::ranges::reverse(path);
    Trunk trunk;
    // Parents are numbered before children: on one path, the joints up to the chest have no higher number than it.
    for (const int32_t joint : path) (joint <= chest ? trunk.spine : trunk.neck).push_back(joint);
    return trunk;
}

FootPoints foot_points(const Skeleton& skeleton, const HumanoidMap& map, const WorldPose& pose, const Mat3d& frame,
                       size_t side) {
    FootPoints points;
    const auto roles = leg_roles(side);
    const Vec3d up = frame.col(1);
    points.heading = frame.col(2);
    points.ankle = map[roles[2]];
    if (points.ankle < 0) return points;
    const Vec3d ankle = pose.position[static_cast<size_t>(points.ankle)];
    const double leg = leg_length(map, pose);

    // The toe joint, else any tip the foot has: a BVH end site shows the direction too.
    int32_t tip = map[roles[3]];
    points.toes = tip >= 0;
    for (size_t j = 0; tip < 0 && j < skeleton.size(); ++j)
        if (skeleton.parents()[j] == points.ankle && (pose.position[j] - ankle).norm() > 0.05 * leg)
            tip = static_cast<int32_t>(j);
    if (tip >= 0) {
        const Vec3d reach = pose.position[static_cast<size_t>(tip)] - ankle;
        const Vec3d flat = reach - reach.dot(up) * up;
        if (flat.norm() > 0.3 * reach.norm() && flat.dot(frame.col(2)) > 0) points.heading = flat.normalized();
    }
    // Some rigs put the toe joint right below the ankle. The ball of a real foot is a sixth of a leg ahead of it.
    const Vec3d usual = ankle + 0.17 * leg * points.heading - 0.08 * leg * up;
    Vec3d ball = usual;
    if (tip >= 0) {
        const Vec3d there = pose.position[static_cast<size_t>(tip)];
        const double ahead = (there - ankle).dot(points.heading);
        if (points.toes && ahead > 0.1 * leg) {
            points.ball_joint = tip;
            return points;
        }
        if (ahead > 0.1 * leg && ahead < 0.4 * leg)
            ball = there;
        else if (points.toes)
            ball += (there - usual).dot(up) * up;
    }
    points.ball_joint = points.ankle;
    points.ball_offset = pose.rotation[static_cast<size_t>(points.ankle)].conjugate() * (ball - ankle);
    return points;
}

// A foot that swings in the reference pose may point down, which hides that its toe joint is the ball; the other foot
// is built alike and shows it.
void learn_ball_from_other(const HumanoidMap& map, const WorldPose& pose, std::array<FootPoints, 2>& feet) {
    constexpr double alike = 0.8;  // the shorter of both feet over the longer
    const auto length = [&](size_t side) {
        const auto roles = leg_roles(side);
        return (pose.position[static_cast<size_t>(map[roles[3]])] - pose.position[static_cast<size_t>(map[roles[2]])])
            .norm();
    };
    const auto on_toes = [&](size_t side) {
        return feet[side].toes && feet[side].ball_joint == map[leg_roles(side)[3]];
    };
    if (feet[0].ankle < 0 || feet[1].ankle < 0 || !feet[0].toes || !feet[1].toes || on_toes(0) == on_toes(1)) return;
    const double shorter = std::min(length(0), length(1)), longer = std::max(length(0), length(1));
    if (shorter < alike * longer) return;
    const size_t hidden = on_toes(0) ? 1 : 0;
    feet[hidden].ball_joint = map[leg_roles(hidden)[3]];
    feet[hidden].ball_offset = Vec3d::Zero();
}

double crookedness(const HumanoidMap& map, const WorldPose& pose) {
    const Mat3d frame = body_frame(map, pose);
    const auto at = [&](Role role) { return pose.position[static_cast<size_t>(map[role])]; };
    double sum = angle_between(
        at(Role::left_upper_arm) + at(Role::right_upper_arm) - at(Role::left_upper_leg) - at(Role::right_upper_leg),
        frame.col(1));
    std::array<double, 2> swing = {0, 0};
    for (size_t side = 0; side < 2; ++side) {
        const auto roles = leg_roles(side);
        const Vec3d thigh = at(roles[1]) - at(roles[0]);
        swing[side] = std::atan2(thigh.dot(frame.col(2)), -thigh.dot(frame.col(1)));
        if (map[roles[2]] >= 0) sum += angle_between(thigh, at(roles[2]) - at(roles[1]));
    }
    return sum + std::abs(swing[0] - swing[1]);
}

bool is_loose_foot(const Skeleton& skeleton, const HumanoidMap& map, size_t side) {
    return hangs_elsewhere(skeleton, map[leg_roles(side)[1]], map[leg_roles(side)[2]]);
}

Body measure_body(const Skeleton& skeleton, const HumanoidMap& map, WorldPose reference) {
    Body body{skeleton, map, std::move(reference), Mat3d::Identity(), 1.0, {}, {}, {}, {}, {}};
    body.frame = body_frame(map, body.reference);
    body.leg = std::max(leg_length(map, body.reference), 1e-9);
    for (size_t side = 0; side < 2; ++side)
        body.feet[side] = foot_points(skeleton, map, body.reference, body.frame, side);
    learn_ball_from_other(map, body.reference, body.feet);
    for (size_t side = 0; side < 2; ++side) {
        for (const auto& [holder, end] : {std::pair{map[leg_roles(side)[1]], map[leg_roles(side)[2]]},
                                          std::pair{map[arm_roles(side)[2]], map[arm_roles(side)[3]]}}) {
            if (!hangs_elsewhere(skeleton, holder, end)) continue;
            const auto h = static_cast<size_t>(holder);
            body.loose.push_back(
                {end, holder,
                 body.reference.rotation[h].conjugate() *
                     (body.reference.position[static_cast<size_t>(end)] - body.reference.position[h])});
        }
    }
    mark_joints(body);
    body.bones = find_bones(skeleton);
    return body;
}

}  // namespace sinew
