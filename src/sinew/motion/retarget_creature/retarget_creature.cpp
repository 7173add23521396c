#include <sinew/motion/retarget_creature/retarget_creature.h>

#include <sinew/math/interpolate.h>
#include <sinew/motion/clip_writer.h>
#include <sinew/motion/mapping/joint_matches.h>
#include <sinew/motion/retarget/cycle.h>
#include <sinew/motion/retarget/retarget_names.h>
#include <sinew/motion/retarget/target_motion.h>
#include <sinew/motion/retarget_creature/creature_feet.h>
#include <sinew/motion/retarget_creature/creature_stance.h>
#include <sinew/motion/retarget_creature/leg_fold.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double most_sinking = 0.15;  // of a leg: how far the body sinks so that feet reach the ground
constexpr double drop_seconds = 0.2;   // it begins to sink this early
constexpr double off_ground = 0.25;    // of a leg: a source's foot that rests higher belongs to no leg
constexpr double on_ground = 0.05;     // of a leg: feet that are lower must reach

// One leg of the target and the path that its foot follows.
struct Leg {
    JointChain joints;  // from the socket to the foot
    LegFold fold;
    std::vector<Vec3d> goals;  // world, one per frame
    std::vector<FootStand> plants;
    double level = 0;       // the foot's height while it stands
    bool borrowed = false;  // the source's limb is an arm: it shows where to swing, not where to tread
};

struct Work {
    const SourceClip& clip;
    const CreatureMap& source_map;
    const Skeleton& target;
    const CreatureMap& target_map;
    WorldPose source_rest, target_rest;
    CreatureStance stance;
    std::vector<Leg> legs;
    std::vector<Vec3d> root;                   // world, one per frame
    std::vector<std::vector<Quatd>> rotation;  // [target joint][frame], local; empty where nothing drives the joint
};

size_t u(int32_t joint) {
    return static_cast<size_t>(joint);
}

Quatd driven(const Drive& drive, const WorldPose& source, const Quatd& m) {
    const Quatd a = source.rotation[u(drive.source_a)] * drive.source_reference_a.conjugate();
    if (drive.blend <= 0) return m * a * m.conjugate() * drive.target_reference;
    const Quatd b = source.rotation[u(drive.source_b)] * drive.source_reference_b.conjugate();
    return m * slerp(a, b, drive.blend) * m.conjugate() * drive.target_reference;
}

// Joints that no chain holds (ears, feathers, a single arm) follow joints of the same role or name. In what is left of
// a human body, roles know better than shares of a chain which joint is the elbow.
void add_others(Work& work, const Skeleton& source) {
    std::vector<Drive*> drive_of(work.target.size(), nullptr);
    std::vector<Drive> added;
    for (Drive& drive : work.stance.drives) drive_of[u(drive.target)] = &drive;
    std::vector<char> taken(work.target.size(), 0);
    for (const Drive& drive : work.stance.drives) taken[u(drive.target)] = 1;
    const auto follow = [&](Drive& drive, int32_t from) {
        drive.source_a = drive.source_b = from;
        drive.blend = 0;
        drive.source_reference_a = drive.source_reference_b = work.source_rest.rotation[u(from)];
    };
    if (work.target_map.kind == CreatureKind::biped)
        for (const auto& [from, to] : pairs_by_role(source, work.target))
            if (drive_of[u(to)]) follow(*drive_of[u(to)], from);
    for (const auto& [from, to] : pairs_by_role_and_name(source, work.target)) {
        const int32_t parent = work.target.parents()[u(to)];
        if (taken[u(to)] || parent < 0 || !taken[u(parent)]) continue;
        Drive drive;
        drive.target = to;
        drive.target_reference = work.stance.target.rotation[u(to)];
        follow(drive, from);
        added.push_back(drive);
        taken[u(to)] = 1;
    }
    work.stance.drives.insert(work.stance.drives.end(), added.begin(), added.end());
    std::ranges::sort(work.stance.drives, {}, &Drive::target);
}

// The root's path, and each foot's: the source's, scaled, from where the target's root and feet are in the stance.
void trace_goals(Work& work, const std::vector<ChainMatch>& matches, const RetargetOptions& options) {
    const Quatd& m = work.stance.target_from_source;
    const double scale = work.stance.scale;
    const Vec3d up = work.target_map.up, source_up = work.source_map.up;
    const auto root_s = u(work.source_map.root), root_t = u(work.target_map.root);
    struct Foot {
        size_t source = 0;
        Vec3d from, to;
        std::vector<Vec3d> path;
        double leg = 0;
    };
    std::vector<Foot> feet;
    for (const ChainMatch& match : matches) {
        if (!match.leg) continue;
        Leg leg;
        leg.joints.assign(match.target.begin(),
                          match.target.begin() + static_cast<std::ptrdiff_t>(match.target_foot) + 1);
        // A pelvis or shoulder blade above the socket is the trunk's, not the leg's.
        for (const CreatureLimb& limb : work.target_map.legs) {
            const auto at = std::ranges::find(leg.joints, limb.joints[limb.socket]);
            if (at != leg.joints.end() && limb.socket < limb.foot) leg.joints.erase(leg.joints.begin(), at);
        }
        Foot foot;
        foot.source = u(match.source[match.source_foot]);
        const size_t target_foot = u(leg.joints.back());
        foot.from = work.source_rest.position[foot.source];
        foot.to = work.stance.target.position[target_foot];
        // The stance may have moved the foot off the ground.
        if (!work.stance.same_build) foot.to += (work.target_rest.position[target_foot] - foot.to).dot(up) * up;
        for (size_t i = 0; i + 1 < leg.joints.size(); ++i)
            foot.leg +=
                (work.target_rest.position[u(leg.joints[i + 1])] - work.target_rest.position[u(leg.joints[i])]).norm();
        leg.level = foot.to.dot(up);
        leg.borrowed = foot.from.dot(source_up) - work.source_map.ground > off_ground * foot.leg / scale;
        if (leg.borrowed) leg.level = work.target_rest.position[target_foot].dot(up);
        feet.push_back(std::move(foot));
        work.legs.push_back(std::move(leg));
    }
    for (size_t f = 0; f < work.clip.times.size(); ++f) {
        const WorldPose pose = work.clip.pose_at(f);
        work.root.push_back(work.stance.target.position[root_t] +
                            scale * (m * (pose.position[root_s] - work.source_rest.position[root_s])));
        for (size_t i = 0; i < feet.size(); ++i) {
            work.legs[i].goals.push_back(feet[i].to + scale * (m * (pose.position[feet[i].source] - feet[i].from)));
            feet[i].path.push_back(pose.position[feet[i].source]);
        }
    }
    for (size_t i = 0; i < feet.size(); ++i) {
        const double leg = feet[i].leg / scale;
        if (work.legs[i].borrowed) continue;
        work.legs[i].plants = find_standing(feet[i].path, source_up, feet[i].from.dot(source_up), leg, options.fps);
        if (!work.stance.same_build) hold_plants(work.legs[i].plants, up, options.fps, work.legs[i].goals);
    }
}

// The target in one frame before its legs are put right: world rotations of driven joints, the root in its place.
WorldPose pose_freely(const Work& work, size_t frame, const Vec3d& root) {
    const WorldPose source = work.clip.pose_at(frame);
    WorldPose pose = work.target_rest;
    const Skeleton& skeleton = work.target;
    size_t next = 0;
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        if (parent >= 0) {
            const Quatd carried = pose.rotation[u(parent)] * work.target_rest.rotation[u(parent)].conjugate();
            pose.position[j] = pose.position[u(parent)] +
                               carried * (work.target_rest.position[j] - work.target_rest.position[u(parent)]);
            pose.rotation[j] = carried * work.target_rest.rotation[j];
        }
        const auto& drives = work.stance.drives;
        if (next < drives.size() && drives[next].target == static_cast<int32_t>(j))
            pose.rotation[j] = driven(drives[next++], source, work.stance.target_from_source).normalized();
        if (static_cast<int32_t>(j) == work.target_map.root) pose.position[j] = root;
    }
    return pose;
}

// How far the body must sink in each frame so that no foot on the ground is out of reach.
std::vector<double> find_drops(const Work& work, double fps) {
    const Vec3d up = work.target_map.up;
    std::vector<double> drops(work.root.size(), 0.0);
    for (size_t f = 0; f < work.root.size(); ++f) {
        const WorldPose pose = pose_freely(work, f, work.root[f]);
        for (const Leg& leg : work.legs) {
            const Vec3d& goal = leg.goals[f];
            if (leg.borrowed) continue;
            if (goal.dot(up) - leg.level > on_ground * leg.fold.reach) continue;
            const Vec3d way = pose.position[u(leg.joints.front())] - goal;
            const double high = way.dot(up), aside = (way - high * up).norm();
            const double reach = firm_length(leg.fold);
            if (way.norm() <= reach || aside >= reach) continue;
            drops[f] = std::max(
                drops[f], std::min(high - std::sqrt(reach * reach - aside * aside), most_sinking * leg.fold.reach));
        }
    }
    return spread_peaks(drops, static_cast<std::ptrdiff_t>(std::lround(drop_seconds * fps)));
}

void fold_legs(const Work& work, size_t frame, WorldPose& pose) {
    std::vector<Vec3d> points;
    std::vector<Quatd> turns;
    for (const Leg& leg : work.legs) {
        points.clear();
        for (const int32_t joint : leg.joints) points.push_back(pose.position[u(joint)]);
        turns.assign(points.size() - 1, Quatd::Identity());
        const auto socket = u(leg.joints.front());
        const Vec3d lateral =
            pose.rotation[socket] * work.stance.target.rotation[socket].conjugate() * work.target_map.left();
        Vec3d goal = leg.goals[frame];
        if (leg.borrowed) {
            const double sunk = leg.level - points.back().dot(work.target_map.up);
            goal = points.back() + std::max(0.0, sunk) * work.target_map.up;
        }
        fold_leg(leg.fold, lateral.normalized(), goal, points, turns);
        for (size_t i = 0; i + 1 < leg.joints.size(); ++i) {
            pose.rotation[u(leg.joints[i])] = (turns[i] * pose.rotation[u(leg.joints[i])]).normalized();
            pose.position[u(leg.joints[i + 1])] = points[i + 1];
        }
    }
}

void write_frame(Work& work, const WorldPose& pose) {
    for (const Drive& drive : work.stance.drives) {
        const int32_t parent = work.target.parents()[u(drive.target)];
        const Quatd above = parent < 0 ? Quatd(Quatd::Identity()) : pose.rotation[u(parent)];
        work.rotation[u(drive.target)].push_back((above.conjugate() * pose.rotation[u(drive.target)]).normalized());
    }
}

// What hangs on the joints that fold_legs turned and has no drive of its own keeps its place on them: only driven
// joints are written. Feet keep their world rotation, so that soles stay flat.
Clip write_motion(const Work& work, const std::string& name) {
    Clip clip{name, {}, -1};
    const int32_t root = work.target_map.root, parent = work.target.parents()[u(root)];
    AffineD parent_from_world = AffineD::Identity();
    if (parent >= 0) parent_from_world = rest_world(work.target)[u(parent)].inverse();
    const std::vector<float> times = work.clip.own_times();
    std::vector<Vec3d> local;
    for (const Vec3d& position : work.root) local.push_back(parent_from_world * position);
    clip.tracks.push_back(translation_track(root, times, local));
    for (size_t j = 0; j < work.rotation.size(); ++j)
        if (!work.rotation[j].empty())
            clip.tracks.push_back(rotation_track(static_cast<int32_t>(j), times, work.rotation[j]));
    return clip;
}

// The root's path as seen from above and the root's rotation are the source's own: they loop already.
void close_cycle(Work& work) {
    if (work.clip.cycle.frames == 0) return;
    cut_cycle(work.clip, work.root);
    for (size_t j = 0; j < work.rotation.size(); ++j) {
        if (work.rotation[j].empty()) continue;
        cut_cycle(work.clip, work.rotation[j]);
        if (static_cast<int32_t>(j) != work.target_map.root) close_rotations(work.rotation[j]);
    }
    const Vec3d up = work.target_map.up;
    const auto steps = static_cast<double>(work.clip.cycle.frames);
    const double lack = (work.root.front() - work.root.back()).dot(up);
    for (size_t f = 0; f < work.root.size(); ++f) work.root[f] += (static_cast<double>(f) / steps - 0.5) * lack * up;
}

// Two people in the costume of a horse: the arms become front legs. Hands tread where the shoulders carry them.
CreatureMap on_all_fours(CreatureMap map) {
    map.kind = CreatureKind::quadruped;
    for (CreatureLimb& arm : map.arms) {
        arm.foot = arm.joints.size() - 1;
        arm.socket = arm.joints.size() > 3 ? arm.joints.size() - 3 : 0;
    }
    map.legs.insert(map.legs.begin(), map.arms.begin(), map.arms.end());
    map.arms.clear();
    return map;
}

// Mean horizontal speed and height error of feet that stand, in cm.
void measure(const Work& work, const std::vector<std::vector<Vec3d>>& feet, double fps, RetargetResult& result) {
    double skate = 0, error = 0;
    size_t steps = 0, frames = 0;
    const Vec3d up = work.target_map.up;
    for (size_t i = 0; i < work.legs.size(); ++i) {
        for (const FootStand& plant : work.legs[i].plants) {
            for (int32_t f = plant.first; f <= plant.last; ++f, ++frames) {
                error += std::abs(feet[i][u(f)].dot(up) - work.legs[i].level);
                if (f == plant.first) continue;
                Vec3d moved = feet[i][u(f)] - feet[i][u(f - 1)];
                moved -= moved.dot(up) * up;
                skate += moved.norm() * fps;
                ++steps;
            }
        }
    }
    if (steps > 0) result.foot_skate_cm_per_s = static_cast<float>(100 * skate / static_cast<double>(steps));
    if (frames > 0) result.ground_error_cm = static_cast<float>(100 * error / static_cast<double>(frames));
}

}  // namespace

std::optional<RetargetResult> retarget_creature(SourceClip clip, const CreatureMap& source_map, const Skeleton& target,
                                                const CreatureMap& target_map, const RetargetOptions& options) {
    const bool costume = options.onto_animal && source_map.kind == CreatureKind::biped &&
                         target_map.kind == CreatureKind::quadruped && source_map.arms.size() == 2;
    if (costume) return retarget_creature(std::move(clip), on_all_fours(source_map), target, target_map, options);
    if (source_map.kind != target_map.kind || source_map.kind == CreatureKind::other || source_map.root < 0 ||
        target_map.root < 0)
        return std::nullopt;
    continue_cycle(source_map.root, source_map.up, clip);
    const std::vector<Transform>& source_local =
        options.source_stance.empty() ? clip.skeleton.rest() : options.source_stance;
    Work work{clip,
              source_map,
              target,
              target_map,
              world_pose(clip.skeleton, source_local),
              world_pose(target, target.rest()),
              {},
              {},
              {},
              std::vector<std::vector<Quatd>>(target.size())};
    const std::vector<ChainMatch> matches = match_chains(clip.skeleton, source_map, target, target_map);
    work.stance =
        align_creatures(clip.skeleton, source_map, work.source_rest, target, target_map, work.target_rest, matches);
    add_others(work, clip.skeleton);
    trace_goals(work, matches, options);
    for (size_t i = 0; i < work.legs.size(); ++i) {
        std::vector<Vec3d> points;
        for (const int32_t joint : work.legs[i].joints) points.push_back(work.target_rest.position[u(joint)]);
        work.legs[i].fold = measure_fold(points, target_map.left(), work.legs.size() == 4 && i < 2);
    }
    const bool feet = options.lock_feet && !work.stance.same_build && !work.legs.empty();
    if (feet) {
        const std::vector<double> drops = find_drops(work, options.fps);
        for (size_t f = 0; f < drops.size(); ++f) work.root[f] -= drops[f] * target_map.up;
    }
    std::vector<std::vector<Vec3d>> paths(work.legs.size());
    for (size_t f = 0; f < clip.times.size(); ++f) {
        WorldPose pose = pose_freely(work, f, work.root[f]);
        if (feet) fold_legs(work, f, pose);
        write_frame(work, pose);
        for (size_t i = 0; i < work.legs.size(); ++i) paths[i].push_back(pose.position[u(work.legs[i].joints.back())]);
    }
    RetargetResult result;
    measure(work, paths, options.fps, result);
    close_cycle(work);
    if (options.in_place_root) {
        const Vec3d rest = work.stance.target.position[u(target_map.root)], up = target_map.up;
        for (Vec3d& position : work.root) position = rest + (position - rest).dot(up) * up;
    }
    result.clip = write_motion(work, clip.clip.name);
    result.mapped_joints = static_cast<int32_t>(work.stance.drives.size());
    result.map = list_matches(clip.skeleton, target, work.stance.drives);
    result.scale = static_cast<float>(work.stance.scale);
    if (clip.start > 0)
        result.warnings.emplace_back("the motion jumps away from its first frame, which looks like a T-pose: left out");
    return result;
}

}  // namespace sinew
