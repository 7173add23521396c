#include <sinew/motion/touch/touch_motion.h>

#include <sinew/motion/touch/lift_body.h>
#include <sinew/motion/touch/place_arms.h>
#include <algorithm>

namespace sinew {
namespace {

constexpr double usual_leg_length = 0.83;  // metres, as body_shape.cpp has it

BodyMotion target_body(const TouchPlan& plan, const TargetMotion& motion) {
    BodyMotion body{
        plan.target_shape, {}, plan.target.frame.col(1), plan.target_floor, plan.target.leg / usual_leg_length};
    body.poses.reserve(motion.hips.size());
    for (size_t f = 0; f < motion.hips.size(); ++f)
        body.poses.push_back(body_pose(plan.target, target_pose_at(plan.target, plan.alignment.drives, motion, f)));
    return body;
}

BodyMotion source_body(const TouchPlan& plan, const SourceClip& clip) {
    BodyMotion body{
        plan.source_shape, {}, plan.source.frame.col(1), plan.source_floor, plan.source.leg / usual_leg_length};
    body.poses.reserve(clip.times.size());
    for (size_t f = 0; f < clip.times.size(); ++f) body.poses.push_back(body_pose(plan.source, clip.pose_at(f)));
    return body;
}

// Puts world rotations in front of an arm's bones in one frame.
void turn_arm(const TouchPlan& plan, size_t side, size_t frame, const ArmTurn& turn, TargetMotion& motion) {
    const auto& drives = plan.alignment.drives;
    const WorldPose pose = target_pose_at(plan.target, drives, motion, frame);
    const std::array before = {Quatd(Quatd::Identity()), turn.upper, turn.lower};
    const std::array own = {turn.upper, turn.lower, turn.hand};
    for (size_t i = 0; i < 3; ++i) {
        const int32_t joint = plan.target.map[arm_roles(side)[i + 1]];
        const auto drive = std::ranges::find(drives, joint, &Drive::target);
        if (joint < 0 || drive == drives.end()) continue;
        const int32_t parent = plan.target.skeleton.parents()[static_cast<size_t>(joint)];
        const Quatd above = parent < 0 ? Quatd(Quatd::Identity()) : pose.rotation[static_cast<size_t>(parent)];
        motion.rotation[static_cast<size_t>(drive - drives.begin())][frame] =
            ((before[i] * above).conjugate() * (own[i] * pose.rotation[static_cast<size_t>(joint)])).normalized();
    }
}

}  // namespace

std::vector<double> lift_off_floor(const TouchPlan& plan, TargetMotion& motion) {
    std::vector<double> lift = lift_body(target_body(plan, motion), plan.fps);
    const Vec3d up = plan.target.frame.col(1);
    for (size_t f = 0; f < lift.size(); ++f) motion.hips[f] += lift[f] * up;
    return lift;
}

void touch_as_source(const TouchPlan& plan, const SourceClip& clip, TargetMotion& motion) {
    const BodyMotion source = source_body(plan, clip), target = target_body(plan, motion);
    const TouchScene scene{source, target, plan.alignment.target_from_source, plan.alignment.scale, plan.fps};
    const ArmTurns turns = place_arms(scene, plan.target.frame.col(2));
    const auto stays = [](const ArmTurn& turn) {
        return turn.upper.isApprox(Quatd::Identity()) && turn.lower.isApprox(Quatd::Identity()) &&
               turn.hand.isApprox(Quatd::Identity());
    };
    for (size_t side = 0; side < 2; ++side)
        for (size_t f = 0; f < turns.side[side].size(); ++f)
            if (!stays(turns.side[side][f])) turn_arm(plan, side, f, turns.side[side][f], motion);
}

}  // namespace sinew
