#include <sinew/motion/retarget/transfer.h>

#include <sinew/math/interpolate.h>
#include <sinew/motion/retarget/proportions.h>

namespace sinew {
namespace {

Quatd driven_rotation(const Drive& drive, const WorldPose& source, const Quatd& m) {
    const Quatd a = source.rotation[static_cast<size_t>(drive.source_a)] * drive.source_reference_a.conjugate();
    Quatd since = a;
    if (drive.blend > 0) {
        const Quatd b = source.rotation[static_cast<size_t>(drive.source_b)] * drive.source_reference_b.conjugate();
        since = slerp(a, b, drive.blend);
    }
    return m * since * m.conjugate() * drive.target_reference;
}

// From the shoulder to the hand; to the elbow where there is no hand.
Vec3d arm_direction(const Body& body, const WorldPose& pose, size_t side) {
    const auto roles = arm_roles(side);
    const int32_t end = body.map[roles[3]] >= 0 ? body.map[roles[3]] : body.map[roles[2]];
    return pose.position[static_cast<size_t>(end)] - pose.position[static_cast<size_t>(body.map[roles[1]])];
}

// Appends one frame to the target's rotations. Joints without a drive keep their rest rotation below their parent.
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

}  // namespace

TargetMotion transfer_motion(const SourceClip& clip, const SourcePaths& paths, const Body& source, const Body& target,
                             const Alignment& alignment, const AnkleLevels& ankles) {
    TargetMotion motion;
    motion.rotation.resize(alignment.drives.size());
    const Vec3d up = target.frame.col(1), source_up = source.frame.col(1);
    const Vec3d origin = socket_center(target.map, target.reference);
    const Vec3d source_origin = socket_center(source.map, source.reference);
    const auto hips = static_cast<size_t>(target.map[Role::hips]);
    const Proportions proportions = compare_proportions(source, target, alignment);
    for (size_t f = 0; f < clip.times.size(); ++f) {
        turn_joints(source, target, alignment, clip.pose_at(f), proportions, motion);
        motion.hips.push_back(Vec3d::Zero());
        const WorldPose pose = target_pose_at(target, alignment.drives, motion, f);
        Vec3d goal = origin + alignment.scale * (alignment.target_from_source * (paths.sockets[f] - source_origin));
        if (!alignment.same_build) {
            const double height = ankles.target + alignment.scale * (paths.sockets[f].dot(source_up) - ankles.source);
            goal += (height - goal.dot(up)) * up;
        }
        motion.hips[f] = goal - (socket_center(target.map, pose) - pose.position[hips]);
    }
    return motion;
}

}  // namespace sinew
