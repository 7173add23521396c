#include <sinew/motion/retarget/target_motion.h>

#include <sinew/motion/clip_writer.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>

namespace sinew {
namespace {

void move_with_children(const Skeleton& skeleton, int32_t joint, const Vec3d& place, WorldPose& pose) {
    const Vec3d shift = place - pose.position[static_cast<size_t>(joint)];
    std::vector<char> below(pose.position.size(), 0);
    for (size_t j = static_cast<size_t>(joint); j < pose.position.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        below[j] = static_cast<int32_t>(j) == joint || (parent >= 0 && below[static_cast<size_t>(parent)]);
        if (below[j]) pose.position[j] += shift;
    }
}

// The world of a joint's parent at each frame; one matrix where nothing above the joint moves.
std::vector<AffineD> parents_over_time(const Body& target, const std::vector<Drive>& drives, const TargetMotion& motion,
                                       int32_t joint) {
    const std::vector<int32_t>& parents = target.skeleton.parents();
    const int32_t parent = parents[static_cast<size_t>(joint)], hips = target.map[Role::hips];
    if (parent < 0) return {AffineD::Identity()};
    bool moves = false;
    for (int32_t j = parent; j >= 0; j = parents[static_cast<size_t>(j)])
        moves |= j == hips || std::ranges::find(drives, j, &Drive::target) != drives.end();
    if (!moves) return {rest_world(target.skeleton)[static_cast<size_t>(parent)]};
    const AffineD above_hips = parents_over_time(target, drives, motion, hips).front();
    std::vector<AffineD> over_time, world(target.skeleton.size());
    std::vector<Transform> local = target.skeleton.rest();
    for (size_t f = 0; f < motion.hips.size(); ++f) {
        for (size_t d = 0; d < drives.size(); ++d)
            local[static_cast<size_t>(drives[d].target)].rotation = motion.rotation[d][f].cast<float>();
        local[static_cast<size_t>(hips)].translation = (above_hips.inverse() * motion.hips[f]).cast<float>();
        local_to_world(parents, local, world);
        over_time.push_back(world[static_cast<size_t>(parent)]);
    }
    return over_time;
}

// The local rotation of each joint in one frame, asked for in the order of the joints.
class LocalRotations {
public:
    LocalRotations(const Body& target, const std::vector<Drive>& drives, const TargetMotion& motion, size_t frame)
        : rest_(target.skeleton.rest()), drives_(drives), motion_(motion), frame_(frame) {}

    Quatd of(size_t joint) {
        while (next_ < drives_.size() && static_cast<size_t>(drives_[next_].target) < joint) ++next_;
        const bool driven = next_ < drives_.size() && static_cast<size_t>(drives_[next_].target) == joint;
        return driven ? motion_.rotation[next_][frame_] : Quatd(rest_[joint].rotation.cast<double>().normalized());
    }

private:
    const std::vector<Transform>& rest_;
    const std::vector<Drive>& drives_;
    const TargetMotion& motion_;
    size_t frame_, next_ = 0;
};

// Joints above the hips stay at rest; everything below moves along with the hips. A joint that carries no role stays
// with its parent.
WorldPose plain_pose_at(const Body& target, const std::vector<Drive>& drives, const TargetMotion& motion,
                        size_t frame) {
    const std::vector<int32_t>& parents = target.skeleton.parents();
    const size_t count = parents.size();
    LocalRotations local(target, drives, motion, frame);
    WorldPose pose{std::vector<Vec3d>(count), std::vector<Quatd>(count, Quatd::Identity())};
    const auto hips = static_cast<size_t>(target.map[Role::hips]);
    for (size_t j = 0; j < count; ++j) {
        const int32_t parent = parents[j];
        const auto above = static_cast<size_t>(parent);
        if (!target.carries_role[j]) {
            pose.position[j] = parent < 0 ? Vec3d(Vec3d::Zero()) : pose.position[above];
            continue;
        }
        const Quatd own = local.of(j);
        pose.rotation[j] = parent < 0 ? own : Quatd((pose.rotation[above] * own).normalized());
        pose.position[j] = j == hips    ? motion.hips[frame]
                           : parent < 0 ? target.bones[j]
                                        : Vec3d(pose.position[above] + pose.rotation[above] * target.bones[j]);
    }
    return pose;
}

// The same where joints are scaled by different factors along their axes.
WorldPose scaled_pose_at(const Body& target, const std::vector<Drive>& drives, const TargetMotion& motion,
                         size_t frame) {
    const std::vector<int32_t>& parents = target.skeleton.parents();
    const size_t count = parents.size();
    LocalRotations rotations(target, drives, motion, frame);
    WorldPose pose{std::vector<Vec3d>(count), std::vector<Quatd>(count, Quatd::Identity())};
    std::vector<AffineD> world(count);
    const auto hips = static_cast<size_t>(target.map[Role::hips]);
    Vec3d shift = Vec3d::Zero();
    for (size_t j = 0; j < count; ++j) {
        const int32_t parent = parents[j];
        const auto above = static_cast<size_t>(parent);
        if (!target.carries_role[j]) {
            pose.position[j] = parent < 0 ? Vec3d(Vec3d::Zero()) : pose.position[above];
            continue;
        }
        const Quatd own = rotations.of(j);
        Transform local = target.skeleton.rest()[j];
        local.rotation = own.cast<float>();
        world[j] = parent < 0 ? to_affine_d(local) : AffineD(world[above] * to_affine_d(local));
        pose.rotation[j] = parent < 0 ? own : Quatd((pose.rotation[above] * own).normalized());
        if (j == hips) shift = motion.hips[frame] - world[j].translation();
        pose.position[j] = world[j].translation() + (target.below_hips[j] ? shift : Vec3d(Vec3d::Zero()));
    }
    return pose;
}

}  // namespace

WorldPose target_pose_at(const Body& target, const std::vector<Drive>& drives, const TargetMotion& motion,
                         size_t frame) {
    WorldPose pose = target.bones.empty() ? scaled_pose_at(target, drives, motion, frame)
                                          : plain_pose_at(target, drives, motion, frame);
    for (const LooseEnd& end : target.loose) {
        const auto holder = static_cast<size_t>(end.holder);
        move_with_children(target.skeleton, end.joint, pose.position[holder] + pose.rotation[holder] * end.in_holder,
                           pose);
    }
    return pose;
}

std::vector<double> spread_peaks(const std::vector<double>& values, std::ptrdiff_t radius) {
    const auto size = static_cast<std::ptrdiff_t>(values.size());
    std::vector<double> peak(values.size(), 0.0), mean(values.size(), 0.0);
    const auto at = [&](std::ptrdiff_t f) { return static_cast<size_t>(std::clamp<std::ptrdiff_t>(f, 0, size - 1)); };
    for (std::ptrdiff_t f = 0; f < size; ++f)
        for (std::ptrdiff_t k = -radius; k <= radius; ++k) peak[at(f)] = std::max(peak[at(f)], values[at(f + k)]);
    for (std::ptrdiff_t f = 0; f < size; ++f) {
        for (std::ptrdiff_t k = -radius; k <= radius; ++k) mean[at(f)] += peak[at(f + k)];
        mean[at(f)] /= static_cast<double>(2 * radius + 1);
    }
    return mean;
}

void place_loose_ends(const Body& target, const std::vector<Drive>& drives, TargetMotion& motion) {
    for (const LooseEnd& end : target.loose) motion.placed.push_back({end.joint, {}});
    for (size_t f = 0; f < motion.hips.size() && !target.loose.empty(); ++f) {
        const WorldPose pose = target_pose_at(target, drives, motion, f);
        for (TargetMotion::Placed& placed : motion.placed)
            placed.place.push_back(pose.position[static_cast<size_t>(placed.joint)]);
    }
}

Clip write_clip(const std::string& name, const Body& target, const std::vector<Drive>& drives,
                const std::vector<float>& times, const TargetMotion& motion) {
    Clip clip{name, {}, -1};
    const auto place = [&](int32_t joint, const std::vector<Vec3d>& places) {
        const std::vector<AffineD> above = parents_over_time(target, drives, motion, joint);
        std::vector<Vec3d> local;
        local.reserve(places.size());
        for (size_t f = 0; f < places.size(); ++f)
            local.push_back(above[std::min(f, above.size() - 1)].inverse() * places[f]);
        clip.tracks.push_back(translation_track(joint, times, local));
    };
    place(target.map[Role::hips], motion.hips);
    for (const TargetMotion::Placed& placed : motion.placed) place(placed.joint, placed.place);
    for (size_t d = 0; d < drives.size(); ++d)
        clip.tracks.push_back(rotation_track(drives[d].target, times, motion.rotation[d]));
    return clip;
}

}  // namespace sinew
