#include <sinew/motion/mapping/moving_body.h>

#include <sinew/clip/clip.h>
#include <sinew/math/angle.h>
#include <sinew/motion/retarget/motion_body.h>
#include <sinew/motion/retarget/source_clip.h>
#include <sinew/skeleton/joint_name.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr size_t most_moments = 96;
constexpr float moments_per_second = 15.0f;
constexpr double rest_limit = 0.9;   // radians: poses that artists rest a body in are less crooked
constexpr double worst_stance = 10;  // more than any body that stands is off

std::vector<float> choose_times(const Clip& clip) {
    const float length = duration(clip);
    const auto wanted = static_cast<size_t>(std::clamp(length * moments_per_second, 1.0f, float{most_moments} - 1));
    std::vector<float> times;
    for (size_t i = 0; i <= wanted; ++i) times.push_back(length * static_cast<float>(i) / static_cast<float>(wanted));
    return times;
}

std::vector<Transform> local_at(const Skeleton& skeleton, const Clip& motion, float time) {
    Pose pose{skeleton.rest(), {}};
    sample(motion, time, pose);
    return std::move(pose.local);
}

// Arms and legs have names that tell them and their sides.
bool is_named(const Skeleton& skeleton, const HumanoidMap& map) {
    for (size_t side = 0; side < 2; ++side) {
        const auto tells = [&](Role role) {
            const JointName name = parse_joint_name(skeleton.names()[static_cast<size_t>(map[role])]);
            return name.part != BodyPart::none && name.side == (side == 0 ? Side::left : Side::right);
        };
        const auto leg = leg_roles(side), arm = arm_roles(side);
        if (!tells(leg[0]) || !tells(leg[1]) || !tells(arm[1]) || !tells(arm[2])) return false;
    }
    return true;
}

// How unlike each other the two sides are, in radians: artists pose a body alike on both sides, nobody moves so.
double unevenness(const HumanoidMap& map, const WorldPose& pose) {
    const Vec3d left = body_frame(map, pose).col(0);
    const auto between = [&](Role from, Role to) -> Vec3d {
        return pose.position[static_cast<size_t>(map[to])] - pose.position[static_cast<size_t>(map[from])];
    };
    double most = 0;
    const auto compare = [&](const std::array<Role, 4>& a, const std::array<Role, 4>& b, size_t first) {
        for (size_t i = first; i < first + 2; ++i) {
            if (map[a[i + 1]] < 0 || map[b[i + 1]] < 0) continue;
            const Vec3d one = between(a[i], a[i + 1]), other = between(b[i], b[i + 1]);
            const Vec3d image = other - 2 * left.dot(other) * left;
            most = std::max(most, angle_between(one, image));
        }
    };
    compare(leg_roles(0), leg_roles(1), 0);
    compare(arm_roles(0), arm_roles(1), 1);
    return most;
}

// The usual axes of a file: +Z is ahead where +Y is up, −Y where +Z is up.
Mat3d usual_frame(const Vec3d& up) {
    const Vec3d forward = std::abs(up.z()) > 0.5 ? Vec3d(-Vec3d::UnitY()) : Vec3d(Vec3d::UnitZ());
    Mat3d frame;
    frame << up.cross(forward), up, forward;
    return frame;
}

bool faces_ahead(const Mat3d& frame) {
    constexpr double same_way_cos = 0.99;  // 8 degrees
    return frame.col(2).dot(usual_frame(frame.col(1)).col(2)) > same_way_cos;
}

// How far a pose is from one that an artist would rest a body in, in radians; infinite where it does not stand. Artists
// let a body face along an axis, and pose both sides alike.
double off_rest(const HumanoidMap& map, const WorldPose& pose) {
    const Mat3d frame = body_frame(map, pose);
    const Vec3d up = frame.col(1);
    if (up.y() + up.z() < 0.5 || !is_standing(map, pose, up)) return INFINITY;  // nobody's up is X, or points down
    constexpr double uneven = 0.25;
    const double off = unevenness(map, pose);
    if (off > uneven && !faces_ahead(frame)) return INFINITY;
    return crookedness(map, pose) + off;
}

// What is up in a pose is not down, or level, in most moments of the clip.
bool stands_alike(const HumanoidMap& map, const WorldPose& rest, const std::vector<std::vector<Vec3d>>& moments) {
    Vec3d rise = Vec3d::Zero();
    for (const std::vector<Vec3d>& moment : moments) {
        const auto at = [&](Role role) -> const Vec3d& { return moment[static_cast<size_t>(map[role])]; };
        rise += (at(Role::left_upper_arm) + at(Role::right_upper_arm) - at(Role::left_upper_leg) -
                 at(Role::right_upper_leg))
                    .normalized();
    }
    constexpr double level = 0.3;  // the cosine of a body that lies most of the time
    return body_frame(map, rest).col(1).dot(rise) > level * rise.norm() ||
           rise.norm() < level * static_cast<double>(moments.size());
}

// Left, along the trunk, ahead.
Mat3d trunk_frame(const HumanoidMap& map, const WorldPose& pose) {
    const auto at = [&](Role role) { return pose.position[static_cast<size_t>(map[role])]; };
    const Vec3d sockets = at(Role::left_upper_leg) + at(Role::right_upper_leg);
    const Vec3d shoulders = at(Role::left_upper_arm) + at(Role::right_upper_arm);
    const Vec3d rise = (shoulders - sockets).normalized();
    Vec3d left =
        at(Role::left_upper_leg) - at(Role::right_upper_leg) + at(Role::left_upper_arm) - at(Role::right_upper_arm);
    left = (left - left.dot(rise) * rise).normalized();
    Mat3d frame;
    frame << left, rise, left.cross(rise);
    return frame;
}

// Joints whose bones show no direction that both bodies could be pointed along: over a clip, their mean is neutral.
std::vector<int32_t> undirected_joints(const Skeleton& skeleton, const HumanoidMap& map) {
    const Trunk trunk = trunk_of(skeleton, map);
    std::vector<int32_t> joints = trunk.spine;
    joints.insert(joints.end(), trunk.neck.begin(), trunk.neck.end());
    for (const Role role : {Role::head, Role::left_shoulder, Role::right_shoulder, Role::left_hand, Role::right_hand,
                            Role::left_toes, Role::right_toes})
        if (map[role] >= 0) joints.push_back(map[role]);
    return joints;
}

void set_mean_rotation(const std::vector<std::vector<Transform>>& poses, int32_t joint, Transform& local) {
    Eigen::Vector4f sum = Eigen::Vector4f::Zero();
    for (const std::vector<Transform>& pose : poses) {
        const Eigen::Vector4f q = pose[static_cast<size_t>(joint)].rotation.coeffs();
        sum += q.dot(local.rotation.coeffs()) < 0 ? Eigen::Vector4f(-q) : q;
    }
    if (sum.norm() > 0.1f * static_cast<float>(poses.size())) local.rotation = Quat(Eigen::Vector4f(sum.normalized()));
}

// Turns and moves the whole body at its hips: trunk upright, facing ahead, sockets above the origin.
void place_upright(const Skeleton& skeleton, const HumanoidMap& map, const Vec3d& up, std::vector<Transform>& local) {
    const WorldPose pose = world_pose(skeleton, local);
    const Quatd turn(Mat3d(usual_frame(up) * trunk_frame(map, pose).transpose()));
    const auto hips = static_cast<size_t>(map[Role::hips]);
    const Vec3d center = socket_center(map, pose);
    const Vec3d place = up * up.dot(center) + turn * (pose.position[hips] - center);
    Quatd above = Quatd::Identity();
    AffineD parent_from_world = AffineD::Identity();
    if (const int32_t parent = skeleton.parents()[hips]; parent >= 0) {
        above = pose.rotation[static_cast<size_t>(parent)];
        std::vector<AffineD> world(skeleton.size());
        local_to_world(skeleton.parents(), local, world);
        parent_from_world = world[static_cast<size_t>(parent)].inverse();
    }
    local[hips].rotation = (above.conjugate() * turn * pose.rotation[hips]).normalized().cast<float>();
    local[hips].translation = (parent_from_world * place).cast<float>();
}

}  // namespace

MovingBody see_moving_body(const Skeleton& skeleton, const Clip& clip) {
    MovingBody body{recognise_humanoid(skeleton)};
    const bool known = body.map.is_body() && is_named(skeleton, body.map);
    const WorldPose rest = world_pose(skeleton, skeleton.rest());
    if (clip.tracks.empty()) return body;

    const Clip motion = joints_only(clip);
    const std::vector<float> times = choose_times(motion);
    std::vector<std::vector<Transform>> poses;
    std::vector<std::vector<Vec3d>> moments;
    for (const float time : times) {
        poses.push_back(local_at(skeleton, motion, time));
        moments.push_back(world_pose(skeleton, poses.back()).position);
    }
    const auto is_rest = [&] {
        return body.map.is_body() && off_rest(body.map, rest) < rest_limit && stands_alike(body.map, rest, moments);
    };
    if (known && is_rest()) return body;
    const HumanoidMap seen = recognise_humanoid(skeleton, moments);
    if (!seen.is_body()) return body;
    body.map = seen;
    if (is_rest()) return body;

    double least = INFINITY;
    bool neutral = false;
    std::vector<std::vector<Transform>> upright;
    for (size_t m = 0; m < times.size(); ++m) {
        const WorldPose pose = world_pose(skeleton, poses[m]);
        const Mat3d frame = body_frame(body.map, pose);
        const bool stands = is_standing(body.map, pose, frame.col(1));
        if (stands) upright.push_back(poses[m]);
        const double off = crookedness(body.map, pose) + unevenness(body.map, pose) + (stands ? 0.0 : worst_stance);
        if (!(off < least)) continue;
        least = off;
        neutral = off < rest_limit && faces_ahead(frame);
        body.reference_time = times[m];
        body.stance = poses[m];
    }
    if (upright.empty() && std::isfinite(off_rest(body.map, rest))) return MovingBody{body.map};
    if (upright.empty()) upright = poses;  // someone who runs never stands
    if (body.stance.empty() || neutral) return body;
    const Vec3d up = body_frame(body.map, world_pose(skeleton, body.stance)).col(1);
    for (const int32_t joint : undirected_joints(skeleton, body.map))
        set_mean_rotation(upright, joint, body.stance[static_cast<size_t>(joint)]);
    place_upright(skeleton, body.map, up, body.stance);
    return body;
}

}  // namespace sinew
