#include <sinew/motion/retarget/feet.h>

#include <sinew/ik/two_bone.h>
#include <sinew/math/interpolate.h>
#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A leg neither stretches nor folds completely: the knee would lose its side.
constexpr TwoBoneOptions leg_limits{.straightest = 0.9998, .tightest = 1e-4};

// One leg over all frames, as transfer() made it.
struct Leg {
    std::array<int32_t, 3> drive = {-1, -1, -1};  // thigh, shin, foot
    std::vector<Vec3d> hip, knee, ankle, ball;
    std::vector<Quatd> thigh, shin, foot;                    // world rotations
    std::vector<Quatd> thigh_above, shin_above, foot_above;  // world rotations of their parents
    std::vector<Vec3d> offset;                               // by which the foot is to be moved
    // Forward in the frames of thigh and foot. Their sum is where the knee of a straight leg points.
    Vec3d thigh_forward, foot_forward;
    Vec3d knee_forward(size_t f) const { return thigh[f] * thigh_forward + foot[f] * foot_forward; }
    bool complete() const { return drive[0] >= 0 && drive[1] >= 0 && drive[2] >= 0; }
};

int32_t drive_of(const std::vector<Drive>& drives, int32_t joint) {
    const auto it = std::ranges::find(drives, joint, &Drive::target);
    return joint < 0 || it == drives.end() ? -1 : static_cast<int32_t>(it - drives.begin());
}

std::array<Leg, 2> record_legs(const Body& target, const std::vector<Drive>& drives, const TargetMotion& motion) {
    std::array<Leg, 2> legs;
    for (size_t side = 0; side < 2; ++side) {
        const auto roles = leg_roles(side);
        for (size_t i = 0; i < 3; ++i) legs[side].drive[i] = drive_of(drives, target.map[roles[i]]);
        if (!legs[side].complete()) continue;
        const Drive& thigh = drives[static_cast<size_t>(legs[side].drive[0])];
        const auto foot = static_cast<size_t>(target.map[roles[2]]);
        legs[side].thigh_forward = thigh.target_reference.conjugate() * Vec3d(target.frame.col(2));
        legs[side].foot_forward = target.reference.rotation[foot].conjugate() * target.feet[side].heading;
    }
    for (size_t f = 0; f < motion.hips.size(); ++f) {
        const WorldPose pose = target_pose_at(target, drives, motion, f);
        for (size_t side = 0; side < 2; ++side) {
            Leg& leg = legs[side];
            if (!leg.complete()) continue;
            const auto joint = [&](size_t i) { return static_cast<size_t>(target.map[leg_roles(side)[i]]); };
            const auto above = [&](size_t i) {
                return pose.rotation[static_cast<size_t>(target.skeleton.parents()[joint(i)])];
            };
            leg.hip.push_back(pose.position[joint(0)]);
            leg.knee.push_back(pose.position[joint(1)]);
            leg.ankle.push_back(pose.position[joint(2)]);
            leg.ball.push_back(target.feet[side].ball(pose));
            leg.thigh.push_back(pose.rotation[joint(0)]);
            leg.shin.push_back(pose.rotation[joint(1)]);
            leg.foot.push_back(pose.rotation[joint(2)]);
            leg.thigh_above.push_back(above(0));
            leg.shin_above.push_back(above(1));
            leg.foot_above.push_back(above(2));
        }
    }
    return legs;
}

// During each plant the ball stays at its mean place, with heel or ball on the ground; a fifth of a second before and
// after eases in and out. No foot ever goes below the ground.
void plan_offsets(const Vec3d& up, const FeetPlan& plan, size_t side, Leg& leg) {
    const auto n = static_cast<int32_t>(leg.ball.size());
    leg.offset.assign(leg.ball.size(), Vec3d::Zero());
    const double ease = std::max(1.0, 0.2 * plan.fps);
    const auto& plants = plan.plants[side];
    for (size_t p = 0; p < plants.size(); ++p) {
        const auto [first, last] = plants[p];
        Vec3d place = Vec3d::Zero();
        for (int32_t f = first; f <= last; ++f) place += leg.ball[static_cast<size_t>(f)];
        place /= last - first + 1;
        const auto pull = [&](int32_t frame) -> Vec3d {
            const auto f = static_cast<size_t>(frame);
            const Vec3d across = place - leg.ball[f];
            const double rise =
                plan.plant_height[side][p] - plan.clearance(side, leg.ankle[f].dot(up), leg.ball[f].dot(up));
            return across + (rise - across.dot(up)) * up;
        };
        for (int32_t f = first; f <= last; ++f) leg.offset[static_cast<size_t>(f)] = pull(f);
        const int32_t gap_before = p == 0 ? n : first - plants[p - 1].last;
        const int32_t gap_after = p + 1 == plants.size() ? n : plants[p + 1].first - last;
        for (int32_t k = 1; k < std::min<double>(ease, gap_before) && first - k >= 0; ++k)
            leg.offset[static_cast<size_t>(first - k)] +=
                pull(first) * (1 - smoothstep(k / std::min<double>(ease, gap_before)));
        for (int32_t k = 1; k < std::min<double>(ease, gap_after) && last + k < n; ++k)
            leg.offset[static_cast<size_t>(last + k)] +=
                pull(last) * (1 - smoothstep(k / std::min<double>(ease, gap_after)));
    }
    for (size_t f = 0; f < leg.ball.size(); ++f) {
        const double moved = leg.offset[f].dot(up);
        const double over = plan.clearance(side, leg.ankle[f].dot(up) + moved, leg.ball[f].dot(up) + moved);
        if (over < 0) leg.offset[f] -= over * up;
    }
}

// How far the pelvis must come down for every moved foot to be within reach, smoothed over a fifth of a second.
std::vector<double> plan_drop(const std::array<Leg, 2>& legs, const Vec3d& up, double fps) {
    const size_t n = std::max(legs[0].hip.size(), legs[1].hip.size());
    std::vector<double> need(n, 0.0);
    for (const Leg& leg : legs) {
        for (size_t f = 0; f < leg.hip.size(); ++f) {
            if (leg.offset[f].norm() < 1e-9) continue;
            const double longest = (leg.knee[f] - leg.hip[f]).norm() + (leg.ankle[f] - leg.knee[f]).norm();
            const double reach =
                std::max(0.995 * longest, std::min(0.9995 * longest, (leg.ankle[f] - leg.hip[f]).norm()));
            const Vec3d to = leg.ankle[f] + leg.offset[f] - leg.hip[f];
            const double across = (to - to.dot(up) * up).norm();
            if (to.norm() <= reach || across >= reach) continue;
            need[f] = std::max(need[f], -to.dot(up) - std::sqrt(reach * reach - across * across));
        }
    }
    const auto radius = static_cast<std::ptrdiff_t>(std::max(1.0, std::round(0.1 * fps)));
    return spread_peaks(need, radius);
}

// Where the knee should point once the ankle is at `goal`. The leg keeps the plane it bends in now; a leg that is
// straight, or bends slightly backwards, bends towards `forward`.
Vec3d knee_pole(const TwoBoneLimb& leg, const Vec3d& goal, const Vec3d& forward, const Vec3d& thigh_forward) {
    const double length = (leg.mid - leg.root).norm() + (leg.tip - leg.mid).norm();
    const Vec3d along = (leg.tip - leg.root).normalized();
    const Vec3d bend = (leg.mid - leg.root) - along * along.dot(leg.mid - leg.root);
    const Vec3d ahead = forward - along * along.dot(forward);
    const double bent = bend.norm() / length, bent_forwards = bend.dot(thigh_forward) / length;
    const double trust = std::max(smoothstep(bent_forwards / 0.03), smoothstep((bent - 0.03) / 0.05));
    const auto unit = [](const Vec3d& v) { return v.norm() > 1e-9 ? Vec3d(v.normalized()) : Vec3d(Vec3d::Zero()); };
    return shortest_rotation(along, goal - leg.root) * Vec3d(trust * unit(bend) + (1 - trust) * unit(ahead));
}

}  // namespace

void find_target_levels(const Body& target, FeetPlan& plan) {
    const Vec3d up = target.frame.col(1);
    double lowest = INFINITY;
    for (size_t side = 0; side < 2; ++side) {
        plan.ankle_level[side] = target.reference.position[static_cast<size_t>(target.feet[side].ankle)].dot(up);
        plan.ball_level[side] = target.feet[side].ball(target.reference).dot(up);
        lowest = std::min({lowest, plan.ankle_level[side], plan.ball_level[side]});
    }
    if (std::abs(lowest) < 0.3 * target.leg) return;
    for (size_t side = 0; side < 2; ++side) {
        plan.ankle_level[side] -= lowest;
        plan.ball_level[side] -= lowest;
    }
}

void lock_feet(const Body& target, const std::vector<Drive>& drives, const FeetPlan& plan, TargetMotion& motion) {
    std::array<Leg, 2> legs = record_legs(target, drives, motion);
    const Vec3d up = target.frame.col(1);
    for (size_t side = 0; side < 2; ++side)
        if (legs[side].complete()) plan_offsets(up, plan, side, legs[side]);
    const std::vector<double> drop = plan_drop(legs, up, plan.fps);
    for (size_t f = 0; f < drop.size(); ++f) motion.hips[f] -= drop[f] * up;

    for (const Leg& leg : legs) {
        if (!leg.complete()) continue;
        for (size_t f = 0; f < leg.hip.size(); ++f) {
            const Vec3d sink = drop[f] * up;
            const Vec3d move = leg.offset[f] + sink;
            if (move.norm() < 1e-9) continue;
            const TwoBoneLimb limb{leg.hip[f] - sink, leg.knee[f] - sink, leg.ankle[f] - sink};
            const Vec3d goal = leg.ankle[f] + leg.offset[f];
            const Vec3d pole = knee_pole(limb, goal, leg.knee_forward(f), leg.thigh[f] * leg.thigh_forward);
            const TwoBoneSolution solution = solve_two_bone(limb, {.target = goal, .pole = pole}, leg_limits);
            // A small move changes the leg only in part: a knee that bent slightly backwards does not jump forwards.
            const double strength = smoothstep(move.norm() / (0.01 * target.leg));
            const Quatd thigh_turn = Quatd::Identity().slerp(strength, solution.upper_turn);
            const Quatd shin_turn = Quatd::Identity().slerp(strength, solution.lower_turn);
            const auto at = [&](size_t i) -> Quatd& { return motion.rotation[static_cast<size_t>(leg.drive[i])][f]; };
            at(0) = leg.thigh_above[f].conjugate() * (thigh_turn * leg.thigh[f]);
            at(1) = (thigh_turn * leg.shin_above[f]).conjugate() * (shin_turn * thigh_turn * leg.shin[f]);
            at(2) = (shin_turn * thigh_turn * leg.foot_above[f]).conjugate() * leg.foot[f];
        }
    }
}

FeetQuality measure_feet(const Body& target, const std::vector<Drive>& drives, const FeetPlan& plan,
                         const TargetMotion& motion) {
    FeetQuality quality;
    const Vec3d up = target.frame.col(1);
    std::array<std::vector<Vec3d>, 2> ball;
    std::array<std::vector<double>, 2> over;
    for (size_t f = 0; f < motion.hips.size(); ++f) {
        const WorldPose pose = target_pose_at(target, drives, motion, f);
        for (size_t side = 0; side < 2; ++side) {
            const Vec3d ankle = pose.position[static_cast<size_t>(target.feet[side].ankle)];
            ball[side].push_back(target.feet[side].ball(pose));
            over[side].push_back(plan.clearance(side, ankle.dot(up), ball[side].back().dot(up)));
        }
    }
    size_t steps = 0, heights = 0;
    for (size_t side = 0; side < 2; ++side) {
        for (size_t p = 0; p < plan.plants[side].size(); ++p) {
            const auto [first, last] = plan.plants[side][p];
            for (int32_t f = first; f <= last; ++f, ++heights) {
                const auto i = static_cast<size_t>(f);
                quality.ground_error += std::abs(over[side][i] - plan.plant_height[side][p]);
                if (f == first) continue;
                const Vec3d step = ball[side][i] - ball[side][i - 1];
                quality.skate_per_s += (step - step.dot(up) * up).norm() * plan.fps;
                ++steps;
            }
        }
    }
    if (steps > 0) quality.skate_per_s /= static_cast<double>(steps);
    if (heights > 0) quality.ground_error /= static_cast<double>(heights);
    return quality;
}

}  // namespace sinew
