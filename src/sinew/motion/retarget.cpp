#include <fmt/format.h>
#include <sinew/clip/sample.h>
#include <sinew/math/interpolate.h>
#include <sinew/motion/clip_writer.h>
#include <sinew/motion/retarget.h>
#include <sinew/motion/retarget/feet.h>
#include <sinew/motion/retarget/proportions.h>
#include <sinew/motion/retarget/retarget_names.h>
#include <sinew/motion/retarget/toes.h>
#include <sinew/skeleton/forward_kinematics.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double most_frames = 1e6;

// The source's clip as world poses.
struct SourceClip {
    const Skeleton& skeleton;
    Clip clip;
    std::vector<float> times;

    float start = 0;  // what comes before is not part of the motion

    WorldPose at(size_t frame) const {
        Pose pose{skeleton.rest(), {}};
        sample(clip, std::max(start, times[frame]), pose);
        return world_pose(skeleton, pose.local);
    }
};

// Some captures begin with one frame of a T-pose and jump from there. The time of the second key where several joints
// jump to it and move on calmly; else 0.
float leading_odd_frame(const Clip& clip) {
    float second = INFINITY;
    for (const Track& track : clip.tracks)
        if (track.times.size() > 2) second = std::min(second, track.times[1]);
    if (!(second < 0.06f)) return 0;
    int jumps = 0;
    for (const Track& track : clip.tracks) {
        if (track.path != TrackPath::rotation || track.times.size() < 3) continue;
        const auto at = [&](float time) {
            Quat q;
            sample_track(track, time, q.coeffs().data());
            return q;
        };
        const float jump = angle_between(at(0), at(second)), then = angle_between(at(second), at(2 * second));
        jumps += jump > radians(12) && then < 0.25f * jump;
    }
    return jumps >= 4 ? second : 0;
}

Result<SourceClip> make_source(const Skeleton& skeleton, const Clip& motion, float fps) {
    if (!(fps > 0) || !std::isfinite(fps))
        return fail(ErrorCode::invalid_argument, "frames per second must be above zero; 30 is usual");
    SourceClip source{skeleton, {motion.name, {}, -1}, {}, 0};
    for (const Track& track : motion.tracks)
        if (track.path != TrackPath::morphs) source.clip.tracks.push_back(track);
    SINEW_TRY_VOID(validate(source.clip, skeleton.size(), 0));
    source.start = leading_odd_frame(source.clip);
    const double length = duration(source.clip);
    if (length * fps > most_frames)
        return fail(
            ErrorCode::limit_exceeded,
            fmt::format("{} s at {} frames per second is too long; cut the clip or lower the rate", length, fps));
    const auto whole = static_cast<size_t>(std::floor(length * fps + 1e-3));
    for (size_t i = 0; i <= whole; ++i) source.times.push_back(static_cast<float>(static_cast<double>(i) / fps));
    if (length * fps - static_cast<double>(whole) > 1e-3)
        source.times.push_back(static_cast<float>(length));
    else if (whole > 0)
        source.times.back() = static_cast<float>(length);
    return source;
}

// Rest where the body stands in it; else the frame that looks most like standing, as some files rest in a heap.
WorldPose reference_pose(const SourceClip& source, const HumanoidMap& map, const std::vector<Transform>& stance,
                         std::vector<std::string>& warnings) {
    WorldPose rest = world_pose(source.skeleton, stance.empty() ? source.skeleton.rest() : stance);
    if (stands(map, rest, body_frame(map, rest).col(1))) return rest;
    const size_t step = std::max<size_t>(1, source.times.size() / 200);
    double best = -1;
    size_t best_frame = 0;
    for (size_t f = 0; f < source.times.size(); f += step) {
        const WorldPose pose = source.at(f);
        const Vec3d up = body_frame(map, pose).col(1);
        if (!stands(map, pose, up)) continue;
        // Straight legs and level arms to the sides: the nearest thing to the usual rest poses.
        double score = 0;
        for (size_t side = 0; side < 2; ++side) {
            const auto dir = [&](Role from, Role to) -> Vec3d {
                if (map[from] < 0 || map[to] < 0) return Vec3d::Zero();
                return (pose.position[static_cast<size_t>(map[to])] - pose.position[static_cast<size_t>(map[from])])
                    .normalized();
            };
            const auto leg = leg_roles(side);
            const auto arm = arm_roles(side);
            score -= dir(leg[0], leg[1]).dot(up) + dir(leg[1], leg[2]).dot(up);
            const Vec3d out = body_frame(map, pose).col(0) * (side == 0 ? 1.0 : -1.0);
            score += 0.5 * dir(arm[1], arm[2]).dot(out) + 0.5 * dir(arm[2], arm[3]).dot(out);
        }
        if (score > best) {
            best = score;
            best_frame = f;
        }
    }
    if (best < 0) return rest;
    warnings.push_back(fmt::format("the motion's rest pose does not stand: its frame at {:.2f} s is the reference",
                                   source.times[best_frame]));
    return source.at(best_frame);
}

// What the source's feet and hips do, over all frames.
struct SourcePaths {
    std::vector<Vec3d> sockets;
    std::array<FootPath, 2> feet;
    std::array<std::vector<Quatd>, 2> foot_rotation;
    bool has_feet = false;
};

SourcePaths follow_source(const SourceClip& clip, const Body& body) {
    SourcePaths paths;
    paths.has_feet = body.feet[0].ankle >= 0 && body.feet[1].ankle >= 0;
    for (size_t f = 0; f < clip.times.size(); ++f) {
        const WorldPose pose = clip.at(f);
        paths.sockets.push_back(socket_center(body.map, pose));
        for (size_t side = 0; side < 2 && paths.has_feet; ++side) {
            const auto ankle = static_cast<size_t>(body.feet[side].ankle);
            paths.feet[side].ankle.push_back(pose.position[ankle]);
            paths.feet[side].ball.push_back(body.feet[side].ball(pose));
            paths.foot_rotation[side].push_back(pose.rotation[ankle]);
        }
    }
    return paths;
}

// The direction of a foot, in the reference pose, that points up while the foot stands flat: while its ankle is as low
// as it gets, and slow. Captures differ from their rest pose here by up to 30 degrees.
Vec3d sole_up(const Body& body, const SourcePaths& paths, size_t side, double fps) {
    const Vec3d up = body.frame.col(1);
    const std::vector<Vec3d>& ankle = paths.feet[side].ankle;
    const std::array path = {&ankle};
    const double low = standing_height(path, up, body.leg, fps) + 0.03 * body.leg, slow = 0.3 * body.leg;
    Vec3d sum = Vec3d::Zero();
    size_t count = 0;
    for (size_t f = 1; f + 1 < ankle.size(); ++f) {
        if (ankle[f].dot(up) > low || (ankle[f + 1] - ankle[f - 1]).norm() * 0.5 * fps > slow) continue;
        sum += paths.foot_rotation[side][f].conjugate() * up;
        ++count;
    }
    if (count < 5 || sum.norm() < 0.9 * static_cast<double>(count)) return Vec3d::Zero();
    return body.reference.rotation[static_cast<size_t>(body.feet[side].ankle)] * sum.normalized();
}

// How far the ball lies below the ankle on a flat foot, mean of both.
double ball_below_ankle(const Body& body, const std::array<Vec3d, 2>& soles) {
    double drop = 0;
    for (size_t side = 0; side < 2; ++side) {
        const FootPoints& foot = body.feet[side];
        const Vec3d down = body.reference.position[static_cast<size_t>(foot.ankle)] - foot.ball(body.reference);
        drop += 0.5 * (level_foot(body, side, soles[side]) * down).dot(body.frame.col(1));
    }
    return drop;
}

// The heights at which the target's ankles and balls stand: those of its rest pose. A rest pose that floats (hips at
// the origin, as in motion files) is put on y = 0.
void find_target_ground(const Body& body, FeetPlan& plan) {
    const Vec3d up = body.frame.col(1);
    double lowest = INFINITY;
    for (size_t side = 0; side < 2; ++side) {
        plan.ankle_level[side] = body.reference.position[static_cast<size_t>(body.feet[side].ankle)].dot(up);
        plan.ball_level[side] = body.feet[side].ball(body.reference).dot(up);
        lowest = std::min({lowest, plan.ankle_level[side], plan.ball_level[side]});
    }
    if (std::abs(lowest) < 0.3 * body.leg) return;
    for (size_t side = 0; side < 2; ++side) {
        plan.ankle_level[side] -= lowest;
        plan.ball_level[side] -= lowest;
    }
}

Quatd driven_rotation(const Drive& drive, const WorldPose& source, const Quatd& m) {
    const Quatd a = source.rotation[static_cast<size_t>(drive.source_a)] * drive.source_reference_a.conjugate();
    Quatd since = a;
    if (drive.blend > 0) {
        const Quatd b = source.rotation[static_cast<size_t>(drive.source_b)] * drive.source_reference_b.conjugate();
        since = slerp(a, b, drive.blend);
    }
    return m * since * m.conjugate() * drive.target_reference;
}

// From the shoulder to the hand, or to the elbow where there is none.
Vec3d arm_direction(const Body& body, const WorldPose& pose, size_t side) {
    const auto roles = arm_roles(side);
    const int32_t end = body.map[roles[3]] >= 0 ? body.map[roles[3]] : body.map[roles[2]];
    return pose.position[static_cast<size_t>(end)] - pose.position[static_cast<size_t>(body.map[roles[1]])];
}

// One frame of the target: world rotations of the driven joints become local ones below whatever stands between them.
void turn_joints(const Body& source, const Body& target, const Alignment& alignment, const WorldPose& pose,
                 const Proportions& proportions, TargetMotion& motion) {
    const Skeleton& skeleton = target.skeleton;
    std::vector<Quatd> world(skeleton.size());
    std::array<Quatd, 2> open = {Quatd::Identity(), Quatd::Identity()};
    size_t next = 0;
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        const Quatd above = parent < 0 ? Quatd(Quatd::Identity()) : world[static_cast<size_t>(parent)];
        if (next < alignment.drives.size() && alignment.drives[next].target == static_cast<int32_t>(j)) {
            const Drive& drive = alignment.drives[next];
            world[j] = driven_rotation(drive, pose, alignment.target_from_source).normalized();
            if (drive.target == target.map[Role::hips]) {
                const auto since = [&] { return world[j] * drive.target_reference.conjugate(); };
                world[j] = ease_tilt(target, since(), proportions.tilt) * world[j];
                for (size_t side = 0; side < 2; ++side)
                    open[side] = open_arm(target, proportions, side, since(),
                                          alignment.target_from_source * arm_direction(source, pose, side));
            }
            if (proportions.arm[j] >= 0) world[j] = open[static_cast<size_t>(proportions.arm[j])] * world[j];
            motion.rotation[next].push_back((above.conjugate() * world[j]).normalized());
            ++next;
        } else {
            world[j] = above * Quatd(skeleton.rest()[j].rotation.cast<double>());
        }
    }
}

TargetMotion transfer(const SourceClip& clip, const SourcePaths& paths, const Body& source, const Body& target,
                      const Alignment& alignment, double source_ankle, double target_ankle) {
    TargetMotion motion;
    motion.rotation.resize(alignment.drives.size());
    const Vec3d up = target.frame.col(1), source_up = source.frame.col(1);
    const Vec3d origin = socket_center(target.map, target.reference);
    const Vec3d source_origin = socket_center(source.map, source.reference);
    const auto hips = static_cast<size_t>(target.map[Role::hips]);
    const Proportions proportions = compare_proportions(source, target, alignment);
    for (size_t f = 0; f < clip.times.size(); ++f) {
        turn_joints(source, target, alignment, clip.at(f), proportions, motion);
        motion.hips.push_back(Vec3d::Zero());
        const WorldPose pose = world_pose_at(target, alignment.drives, motion, f);
        Vec3d goal = origin + alignment.scale * (alignment.target_from_source * (paths.sockets[f] - source_origin));
        if (!alignment.same_build) {
            const double height = target_ankle + alignment.scale * (paths.sockets[f].dot(source_up) - source_ankle);
            goal += (height - goal.dot(up)) * up;
        }
        motion.hips[f] = goal - (socket_center(target.map, pose) - pose.position[hips]);
    }
    return motion;
}

Clip write_clip(const std::string& name, const Body& target, const Alignment& alignment,
                const std::vector<float>& times, const TargetMotion& motion) {
    Clip clip{name, {}, -1};
    const int32_t hips = target.map[Role::hips];
    const int32_t parent = target.skeleton.parents()[static_cast<size_t>(hips)];
    const std::vector<AffineD> world = rest_world(target.skeleton);
    AffineD parent_from_world = AffineD::Identity();
    if (parent >= 0) parent_from_world = world[static_cast<size_t>(parent)].inverse();
    std::vector<Vec3d> local;
    for (const Vec3d& position : motion.hips) local.push_back(parent_from_world * position);
    clip.tracks.push_back(translation_track(hips, times, local));
    for (size_t d = 0; d < alignment.drives.size(); ++d)
        clip.tracks.push_back(rotation_track(alignment.drives[d].target, times, motion.rotation[d]));
    return clip;
}

void note_differences(const Body& source, const Body& target, std::vector<std::string>& warnings) {
    const auto lacks = [](const Body& body, Role left, Role right) {
        return body.map[left] < 0 || body.map[right] < 0;
    };
    if (lacks(target, Role::left_toes, Role::right_toes) && !lacks(source, Role::left_toes, Role::right_toes))
        warnings.push_back("no toes in the target: feet turn rigidly");
    if (lacks(source, Role::left_hand, Role::right_hand) && !lacks(target, Role::left_hand, Role::right_hand))
        warnings.push_back("no hands in the motion: the target's follow their forearms");
    if (lacks(target, Role::left_foot, Role::right_foot))
        warnings.push_back("no feet in the target: legs end at the knee");
    if (source.map[Role::head] < 0) warnings.push_back("no head in the motion: the target's follows its body");
}

RetargetResult retarget_body(const SourceClip& clip, const HumanoidMap& source_map, const Skeleton& target_skeleton,
                             const HumanoidMap& target_map, const RetargetOptions& options) {
    RetargetResult result;
    const Body source =
        make_body(clip.skeleton, source_map, reference_pose(clip, source_map, options.source_stance, result.warnings));
    const Body target = make_body(target_skeleton, target_map, world_pose(target_skeleton, target_skeleton.rest()));
    note_differences(source, target, result.warnings);
    if (clip.start > 0)
        result.warnings.push_back("the motion jumps away from its first frame, a T-pose by the look of it: left out");

    const SourcePaths paths = follow_source(clip, source);
    const bool feet = paths.has_feet && target.feet[0].ankle >= 0 && target.feet[1].ankle >= 0;
    const Vec3d up = source.frame.col(1);
    GroundLevel ground;
    FeetPlan plan;
    plan.fps = options.fps;
    std::array<Vec3d, 2> soles = {Vec3d::Zero(), Vec3d::Zero()};
    if (feet) {
        find_target_ground(target, plan);
        for (size_t side = 0; side < 2; ++side) soles[side] = sole_up(source, paths, side, options.fps);
        ground =
            find_ground(paths.feet[0], paths.feet[1], up, ball_below_ankle(source, soles), source.leg, options.fps);
        for (size_t side = 0; side < 2; ++side)
            plan.plants[side] = find_plants(paths.feet[side], up, ground.ball, source.leg, options.fps);
    } else if (!paths.has_feet) {
        result.warnings.push_back("no feet in the motion: the ground is taken to be at height 0");
    }
    const Alignment alignment = align(source, target, soles);
    for (size_t side = 0; side < 2; ++side) plan.plant_height[side].assign(plan.plants[side].size(), 0.0);

    TargetMotion motion = transfer(clip, paths, source, target, alignment, ground.ankle,
                                   0.5 * (plan.ankle_level[0] + plan.ankle_level[1]));
    if (feet && options.lock_feet && !alignment.same_build) {
        lock_feet(target, alignment.drives, plan, motion);
        lift_toes(target, alignment.drives, plan, motion);
    }
    if (feet) {
        const FeetQuality quality = measure_feet(target, alignment.drives, plan, motion);
        result.foot_skate_cm_per_s = static_cast<float>(100 * quality.skate_per_s);
        result.ground_error_cm = static_cast<float>(100 * quality.ground_error);
    }
    if (options.in_place_root) {
        const Vec3d rest = target.reference.position[static_cast<size_t>(target.map[Role::hips])];
        const Vec3d target_up = target.frame.col(1);
        for (Vec3d& hips : motion.hips) hips = rest + (hips - rest).dot(target_up) * target_up;
    }
    result.clip = write_clip(clip.clip.name, target, alignment, clip.times, motion);
    result.mapped_joints = static_cast<int32_t>(alignment.drives.size());
    result.scale = static_cast<float>(alignment.scale);
    return result;
}

// An explicit map decides which joint plays what: a pair gives its two joints the role either was recognised in.
void apply_pairs(const JointPairs& pairs, HumanoidMap& source, HumanoidMap& target, size_t source_size,
                 size_t target_size) {
    const std::vector<Role> source_roles = source.roles(source_size), target_roles = target.roles(target_size);
    source = {};
    target = {};
    for (const auto& [from, to] : pairs) {
        Role role = target_roles[static_cast<size_t>(to)];
        if (role == Role::count) role = source_roles[static_cast<size_t>(from)];
        if (role == Role::count) continue;
        source.joint[static_cast<size_t>(role)] = from;
        target.joint[static_cast<size_t>(role)] = to;
    }
}

std::string missing_parts(const HumanoidMap& map) {
    std::string list;
    for (const Role role :
         {Role::hips, Role::left_upper_leg, Role::left_lower_leg, Role::right_upper_leg, Role::right_lower_leg,
          Role::left_upper_arm, Role::left_lower_arm, Role::right_upper_arm, Role::right_lower_arm}) {
        if (map[role] < 0) list += (list.empty() ? "" : ", ") + std::string(to_string(role));
    }
    return list.empty() ? "nothing" : list;
}

size_t animated_joints(const Clip& clip, const JointPairs* pairs) {
    std::vector<int32_t> joints;
    for (const Track& track : clip.tracks) joints.push_back(track.target);
    std::ranges::sort(joints);
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    if (!pairs) return joints.size();
    return static_cast<size_t>(std::ranges::count_if(joints, [&](int32_t joint) {
        return std::ranges::any_of(*pairs, [&](const auto& pair) { return pair.first == joint; });
    }));
}

}  // namespace

Result<RetargetResult> retarget(const Skeleton& source, const Clip& motion, const Skeleton& target,
                                const RetargetOptions& options) {
    SINEW_TRY(const SourceClip clip, make_source(source, motion, options.fps));
    if (!options.source_stance.empty() && options.source_stance.size() != source.size())
        return fail(ErrorCode::invalid_argument, "the source's stance is not one of its skeleton");
    for (const auto& [from, to] : options.map) {
        const bool known = from >= 0 && static_cast<size_t>(from) < source.size() && to >= 0 &&
                           static_cast<size_t>(to) < target.size();
        if (!known)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("the map pairs joints {} and {}, which do not both exist", from, to));
    }
    if (options.map.empty() && !options.in_place_root)
        if (auto twin = copy_to_twin(source, clip.clip, target)) return *std::move(twin);

    HumanoidMap source_map = recognise_humanoid(source), target_map = recognise_humanoid(target);
    if (!options.map.empty()) apply_pairs(options.map, source_map, target_map, source.size(), target.size());
    if (source_map.is_body() && target_map.is_body())
        return retarget_body(clip, source_map, target, target_map, options);

    const JointPairs pairs = options.map.empty() ? pairs_by_name(source, target) : options.map;
    const size_t animated = animated_joints(clip.clip, nullptr), shared = animated_joints(clip.clip, &pairs);
    if (!options.map.empty() || (animated > 0 && 10 * shared >= 6 * animated))
        return transfer_pairs(source, clip.clip, target, pairs, clip.times, options);
    return fail(
        ErrorCode::invalid_data,
        fmt::format("the skeletons do not match: the motion lacks {}, the character lacks {}, and only {} of {} "
                    "moving joints share a name; give a map of joints",
                    missing_parts(source_map), missing_parts(target_map), shared, animated));
}

}  // namespace sinew
