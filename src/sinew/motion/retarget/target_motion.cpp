#include <sinew/motion/retarget/target_motion.h>

#include <sinew/motion/clip_writer.h>
#include <sinew/skeleton/forward_kinematics.h>
#include <algorithm>

namespace sinew {

WorldPose target_pose_at(const Body& target, const std::vector<Drive>& drives, const TargetMotion& motion,
                         size_t frame) {
    std::vector<Transform> local = target.skeleton.rest();
    for (size_t d = 0; d < drives.size(); ++d)
        local[static_cast<size_t>(drives[d].target)].rotation = motion.rotation[d][frame].cast<float>();
    WorldPose pose = world_pose(target.skeleton, local);
    // Joints above the hips stay at rest; everything below moves along with the hips.
    const int32_t hips = target.map[Role::hips];
    const Vec3d shift = motion.hips[frame] - pose.position[static_cast<size_t>(hips)];
    std::vector<char> below(pose.position.size(), 0);
    for (size_t j = static_cast<size_t>(hips); j < pose.position.size(); ++j) {
        const int32_t parent = target.skeleton.parents()[j];
        below[j] = static_cast<int32_t>(j) == hips || (parent >= 0 && below[static_cast<size_t>(parent)]);
        if (below[j]) pose.position[j] += shift;
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

void place_loose_feet(const Body& target, const std::vector<Drive>& drives, TargetMotion& motion) {
    const std::vector<int32_t>& parents = target.skeleton.parents();
    const auto rests = [&](int32_t joint) {
        for (; joint >= 0; joint = parents[static_cast<size_t>(joint)])
            if (joint == target.map[Role::hips] || std::ranges::find(drives, joint, &Drive::target) != drives.end())
                return false;
        return true;
    };
    for (size_t side = 0; side < 2; ++side) {
        const int32_t foot = target.map[leg_roles(side)[2]];
        if (!is_loose_foot(target.skeleton, target.map, side) || !rests(parents[static_cast<size_t>(foot)])) continue;
        const auto shin = static_cast<size_t>(target.map[leg_roles(side)[1]]);
        const Vec3d in_shin = target.reference.rotation[shin].conjugate() *
                              (target.reference.position[static_cast<size_t>(foot)] - target.reference.position[shin]);
        TargetMotion::Placed placed{foot, {}};
        for (size_t f = 0; f < motion.hips.size(); ++f) {
            const WorldPose pose = target_pose_at(target, drives, motion, f);
            placed.place.push_back(pose.position[shin] + pose.rotation[shin] * in_shin);
        }
        motion.placed.push_back(std::move(placed));
    }
}

Clip write_clip(const std::string& name, const Body& target, const std::vector<Drive>& drives,
                const std::vector<float>& times, const TargetMotion& motion) {
    Clip clip{name, {}, -1};
    const std::vector<AffineD> world = rest_world(target.skeleton);
    const auto place = [&](int32_t joint, const std::vector<Vec3d>& places) {
        const int32_t parent = target.skeleton.parents()[static_cast<size_t>(joint)];
        AffineD parent_from_world = AffineD::Identity();
        if (parent >= 0) parent_from_world = world[static_cast<size_t>(parent)].inverse();
        std::vector<Vec3d> local;
        local.reserve(places.size());
        for (const Vec3d& position : places) local.push_back(parent_from_world * position);
        clip.tracks.push_back(translation_track(joint, times, local));
    };
    place(target.map[Role::hips], motion.hips);
    for (const TargetMotion::Placed& placed : motion.placed) place(placed.joint, placed.place);
    for (size_t d = 0; d < drives.size(); ++d)
        clip.tracks.push_back(rotation_track(drives[d].target, times, motion.rotation[d]));
    return clip;
}

}  // namespace sinew
