#include <sinew/motion/touch/touch_motion.h>

#include <sinew/math/interpolate.h>
#include <sinew/motion/touch/place_arms.h>
#include <sinew/motion/touch/settle_body.h>
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

std::vector<Quatd>* rotations_of(const TouchPlan& plan, int32_t joint, TargetMotion& motion) {
    const auto& drives = plan.alignment.drives;
    const auto drive = std::ranges::find(drives, joint, &Drive::target);
    if (joint < 0 || drive == drives.end()) return nullptr;
    return &motion.rotation[static_cast<size_t>(drive - drives.begin())];
}

// Puts world rotations in front of an arm's bones in one frame.
void turn_arm(const TouchPlan& plan, size_t side, size_t frame, const ArmTurn& turn, TargetMotion& motion) {
    const auto& drives = plan.alignment.drives;
    const WorldPose pose = target_pose_at(plan.target, drives, motion, frame);
    const std::array before = {Quatd(Quatd::Identity()), turn.upper, turn.lower};
    const std::array own = {turn.upper, turn.lower, turn.hand};
    for (size_t i = 0; i < 3; ++i) {
        const int32_t joint = plan.target.map[arm_roles(side)[i + 1]];
        std::vector<Quatd>* const rotations = rotations_of(plan, joint, motion);
        if (!rotations) continue;
        const int32_t parent = plan.target.skeleton.parents()[static_cast<size_t>(joint)];
        const Quatd above = parent < 0 ? Quatd(Quatd::Identity()) : pose.rotation[static_cast<size_t>(parent)];
        (*rotations)[frame] =
            ((before[i] * above).conjugate() * (own[i] * pose.rotation[static_cast<size_t>(joint)])).normalized();
    }
}

// All limbs go along when the hips turn.
bool hangs_on_hips(const Body& target) {
    const auto carried = [&](Role role) {
        return target.map[role] < 0 || target.below_hips[static_cast<size_t>(target.map[role])];
    };
    return carried(Role::left_upper_leg) && carried(Role::right_upper_leg) && carried(Role::left_upper_arm) &&
           carried(Role::right_upper_arm) && carried(Role::head);
}

// Moves the hips of one frame. A foot near the floor keeps its own rotation in the world.
void shift_body(const TouchPlan& plan, size_t frame, const PosedShape& from, const PosedShape& to,
                TargetMotion& motion) {
    constexpr double low_ankle = 0.2, high_ankle = 0.5;  // heights over the floor, in legs
    const Body& target = plan.target;
    const WorldPose pose = target_pose_at(target, plan.alignment.drives, motion, frame);
    const auto above = [&](int32_t joint) {
        const int32_t parent = target.skeleton.parents()[static_cast<size_t>(joint)];
        return parent < 0 ? Quatd(Quatd::Identity()) : pose.rotation[static_cast<size_t>(parent)];
    };
    const Quatd turn = to.turn_of(Role::hips) * from.turn_of(Role::hips).conjugate();
    motion.hips[frame] += to.at(Role::hips) - from.at(Role::hips);
    const int32_t hips = target.map[Role::hips];
    std::vector<Quatd>* const rotations = rotations_of(plan, hips, motion);
    if (!rotations) return;
    (*rotations)[frame] = (above(hips).conjugate() * turn * pose.rotation[static_cast<size_t>(hips)]).normalized();
    for (const Role role : {Role::left_foot, Role::right_foot}) {
        const int32_t foot = target.map[role];
        std::vector<Quatd>* const own = rotations_of(plan, foot, motion);
        if (!own || !target.below_hips[static_cast<size_t>(foot)]) continue;
        const double height = (to.at(role).dot(target.frame.col(1)) - plan.target_floor) / target.leg;
        const double flat = smoothstep((high_ankle - height) / (high_ankle - low_ankle));
        const Quatd back = slerp(Quatd(Quatd::Identity()), Quatd(turn.conjugate()), flat);
        (*own)[frame] = (above(foot).conjugate() * back * pose.rotation[static_cast<size_t>(foot)]).normalized();
    }
}

}  // namespace

std::vector<double> lift_off_floor(const TouchPlan& plan, TargetMotion& motion) {
    const BodyMotion body = target_body(plan, motion);
    const std::vector<BodyShift> shifts = settle_body(body, plan.fps, hangs_on_hips(plan.target));
    std::vector<double> raised(shifts.size(), 0.0);
    for (size_t f = 0; f < shifts.size(); ++f) {
        if (shifts[f].stays()) continue;
        const PosedShape moved = shifted(body.poses[f], shifts[f], body.up);
        double least = INFINITY;
        for (const Role foot : {Role::left_foot, Role::right_foot})
            if (plan.target.map[foot] >= 0)
                least = std::min(least, (moved.at(foot) - body.poses[f].at(foot)).dot(body.up));
        raised[f] = std::isfinite(least) ? std::max(0.0, least) : shifts[f].lift;
        shift_body(plan, f, body.poses[f], moved, motion);
    }
    return raised;
}

void touch_as_source(const TouchPlan& plan, const SourceClip& clip, TargetMotion& motion) {
    const BodyMotion source = source_body(plan, clip), target = target_body(plan, motion);
    const TouchScene scene{
        source, target, plan.alignment.target_from_source, plan.alignment.scale, plan.fps, clip.cycle.frames > 0};
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
