#include <sinew/motion/builtin/gait.h>

#include <sinew/math/interpolate.h>
#include <sinew/motion/builtin/curves.h>
#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

// One foot over its own cycle; phase 0 is its strike. Positions are relative to the ankle of the foot as it lies flat.
class FootCycle {
public:
    FootCycle(const BodySize& size, const GaitOptions& options) : size_(size), o_(options) {
        stride_ = o_.speed * o_.frames_per_cycle / o_.fps;
    }

    double pitch(double phase) const {
        double strike = -o_.strike_deg * deg, off = o_.toe_off_deg * deg, peak = o_.swing_peak_deg * deg;
        if (phase < o_.flat_from) return strike * (1 - smoothstep(phase / o_.flat_from));
        if (phase < o_.heel_off) return 0;
        double roll = o_.stance - o_.heel_off;
        if (phase < o_.stance) {
            double u = (phase - o_.heel_off) / roll;
            return off * u * u * (1.6 - 0.6 * u);
        }
        // Slopes agree at toe-off: d/du of u²(1.6 − 0.6u) at 1 is 1.4.
        double slope = off * 1.4 / roll;
        if (phase < o_.swing_peak_at) {
            double span = o_.swing_peak_at - o_.stance;
            return hermite(off, peak, slope * span, 0, (phase - o_.stance) / span);
        }
        return peak + (strike - peak) * smoothstep((phase - o_.swing_peak_at) / (0.97 - o_.swing_peak_at));
    }

    // The toes stay flat while the foot rolls over them, and straighten in the air.
    double toe_bend(double phase) const {
        if (phase < o_.heel_off) return 0;
        if (phase < o_.stance) return pitch(phase);
        return pitch(o_.stance) * (1 - smoothstep((phase - o_.stance) / 0.14));
    }

    // (forward, height) of the ankle.
    Eigen::Vector2d ankle(double phase) const {
        if (phase <= o_.stance) return planted(phase);
        double span = 1 - o_.stance, u = (phase - o_.stance) / span, h = 1e-4;
        Eigen::Vector2d from = planted(o_.stance), to = planted(0) + Eigen::Vector2d(stride_, 0);
        double leave = (from.x() - planted(o_.stance - h).x()) / h * span;
        double arrive = o_.strike_speed * stride_ * span;
        double lift = o_.clearance * std::sin(pi * u) + o_.heel_kick * std::pow(std::sin(pi * std::pow(u, 0.80)), 2);
        return {hermite(from.x(), to.x(), leave, arrive, u), sole_drop(size_, pitch(phase), toe_bend(phase)) + lift};
    }

    double stride() const { return stride_; }

private:
    // On the ground the foot turns about its heel, then about the toes joint.
    Eigen::Vector2d planted(double phase) const {
        double p = pitch(phase), s = std::sin(p), c = std::cos(p);
        if (phase < o_.flat_from) {
            double back = -size_.heel_length, down = size_.ankle_height;
            return {back - (back * c - down * s), down * c + back * s};
        }
        double ahead = size_.foot_length, down = size_.ankle_height - size_.toe_height;
        return {ahead - (ahead * c - down * s), size_.toe_height + down * c + ahead * s};
    }

    const BodySize& size_;
    const GaitOptions& o_;
    double stride_;
};

FootTarget foot_at(const FootCycle& cycle, const GaitOptions& o, int side, double cycle_time) {
    double own = cycle_time - (side == 0 ? 0.0 : 0.5);
    double whole = std::floor(own), phase = own - whole;
    Eigen::Vector2d ankle = cycle.ankle(phase);
    double sign = side == 0 ? 1 : -1;
    // The pelvis is at stride · cycle_time; at phase under_body it is above the ankle of the flat foot.
    double base = cycle.stride() * (whole + o.under_body + (side == 0 ? 0.0 : 0.5));
    FootTarget foot;
    foot.yaw = sign * o.toe_out_deg * deg;
    // The foot rolls along its own heading, which is turned out: its roll moves the ankle forwards and sideways.
    foot.planted = phase <= o.stance;
    double forward = ankle.x(), sideways = 0;
    if (foot.planted) {
        forward = ankle.x() * std::cos(foot.yaw);
        sideways = ankle.x() * std::sin(foot.yaw);
    } else {
        double u = (phase - o.stance) / (1 - o.stance);
        double from = cycle.ankle(o.stance).x(), to = cycle.ankle(0).x();
        double twist = 1 - std::cos(foot.yaw);
        forward = ankle.x() - twist * (from * (1 - u) + to * u);
        sideways = std::sin(foot.yaw) * (from * (1 - smoothstep(u)) + to * smoothstep(u));
    }
    foot.ankle = {sign * o.track_width + sideways, ankle.y(), base + forward};
    foot.pitch = cycle.pitch(phase);
    foot.toe_bend = cycle.toe_bend(phase);
    return foot;
}

BodyPose gait_pose_at(const FootCycle& cycle, const BodySize& size, const GaitOptions& o, double t) {
    BodyPose body;
    // The whole trunk swings with the cycle: `lead` is +1 when the left leg leads, `over` when the left leg carries.
    double lead = std::cos(full_turn * t), over = std::cos(full_turn * (t - o.under_body));
    double rise = std::cos(2 * full_turn * (t - o.highest_at));
    body.hips = {o.sway * over, size.hip_height + size.pelvis_rise + o.bob * rise, cycle.stride() * t};
    double list = o.list_deg * deg * std::cos(full_turn * (t - o.under_body + 0.06));
    double yaw = -o.turn_deg * deg * lead;
    body.pelvis = {o.lean_deg * deg, yaw, list};
    double against = o.chest_turn_deg * deg * std::cos(full_turn * (t - 0.03)) - yaw;
    body.spine = {0.5 * o.chest_lean_deg * deg, 0.35 * against, -0.6 * list};
    body.chest = {0.5 * o.chest_lean_deg * deg + 0.6 * deg * rise, 0.65 * against, -0.5 * list};
    // The eyes look ahead.
    double lean = (o.lean_deg + o.chest_lean_deg) * deg;
    body.neck = {-0.4 * lean, -0.5 * (yaw + against), 0.04 * list};
    body.head = {-0.6 * lean - 0.8 * deg * rise, -0.5 * (yaw + against), 0.04 * list};
    for (int side = 0; side < 2; ++side) {
        double own = side == 0 ? t : t - 0.5;
        body.feet[side] = foot_at(cycle, o, side, t);
        double forward = -std::cos(full_turn * (own - 0.02));
        double late = -std::cos(full_turn * (own - 0.07));
        ArmAngles& arm = body.arms[side];
        arm.swing = (o.arm_forward_deg + o.arm_swing_deg * forward) * deg;
        arm.spread = (o.arm_spread_deg - 2 * forward) * deg;
        arm.elbow = (o.elbow_deg + o.elbow_swing_deg * late) * deg;
        arm.twist = -10 * deg;
        arm.wrist = 4 * deg + 3 * deg * late;
    }
    body.finger_curl = o.finger_curl_deg * deg;
    return body;
}

}  // namespace

GaitOptions walk_options() {
    return {};
}

GaitOptions run_options() {
    GaitOptions o;
    o.speed = 3.5;
    o.frames_per_cycle = 20;
    o.cycles = 3;
    o.stance = 0.31;
    o.flat_from = 0.05;
    o.heel_off = 0.13;
    o.under_body = 0.125;
    o.strike_deg = 5;
    o.toe_off_deg = 52;
    o.swing_peak_deg = 60;
    o.swing_peak_at = 0.46;
    o.clearance = 0.05;
    o.strike_speed = 0.45;
    o.heel_kick = 0.13;
    o.track_width = 0.045;
    o.toe_out_deg = 4;
    o.bob = 0.030;
    o.highest_at = 0.39;
    o.sway = 0.010;
    o.turn_deg = 10;
    o.list_deg = 4;
    o.lean_deg = 7;
    o.reach = 0.985;
    o.chest_turn_deg = 14;
    o.chest_lean_deg = 6;
    o.arm_swing_deg = 40;
    o.arm_forward_deg = -6;
    o.arm_spread_deg = 16;
    o.elbow_deg = 88;
    o.elbow_swing_deg = 16;
    o.finger_curl_deg = 45;
    return o;
}

GaitOptions sneak_options() {
    GaitOptions o;
    o.speed = 0.6;
    o.frames_per_cycle = 48;
    o.cycles = 1;
    o.stance = 0.64;
    o.strike_deg = 6;
    o.flat_from = 0.06;
    o.toe_off_deg = 32;
    o.swing_peak_deg = 46;
    o.clearance = 0.10;
    o.heel_kick = 0.06;
    o.track_width = 0.075;
    o.bob = 0.012;
    o.sway = 0.030;
    o.turn_deg = 9;
    o.lean_deg = 10;
    o.reach = 0.90;
    o.chest_lean_deg = 22;
    o.arm_swing_deg = 12;
    o.arm_forward_deg = 22;
    o.arm_spread_deg = 24;
    o.elbow_deg = 75;
    o.finger_curl_deg = 28;
    return o;
}

std::vector<BodyPose> gait_poses(const BodySize& size, const GaitOptions& options) {
    FootCycle cycle(size, options);
    int frames = options.frames_per_cycle * options.cycles;
    std::vector<BodyPose> poses;
    for (int i = 0; i <= frames; ++i) {
        poses.push_back(gait_pose_at(cycle, size, options, static_cast<double>(i) / options.frames_per_cycle));
    }
    double height = fit_hips_height(size, poses, options.reach);
    for (BodyPose& body : poses) body.hips.y() += height;
    return poses;
}

}  // namespace sinew
