#include <sinew/motion/builtin/actions.h>

#include <sinew/math/interpolate.h>
#include <sinew/motion/builtin/curves.h>
#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

BodyPose standing(const BodySize& size, double half_width, double toe_out) {
    BodyPose body;
    body.hips = {0, size.hip_height + size.pelvis_rise, 0.0};
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1 : -1;
        body.feet[side].ankle = {sign * half_width, size.ankle_height, -0.015};
        body.feet[side].yaw = sign * toe_out;
        body.arms[side] = {
            .swing = 3 * deg, .spread = 9 * deg, .twist = -12 * deg, .elbow = 14 * deg, .wrist = 3 * deg};
    }
    return body;
}

void stand_up(const BodySize& size, std::vector<BodyPose>& poses, double reach) {
    double height = fit_hips_height(size, poses, reach);
    for (BodyPose& body : poses) body.hips.y() += height;
}

// Breathes and shifts its weight; u runs from 0 to 1 through the loop.
BodyPose idle_at(const BodySize& size, const StandOptions& o, double u) {
    BodyPose body = standing(size, o.half_width, o.toe_out_deg * deg);
    double shift = std::sin(full_turn * u), breath = -std::cos(full_turn * o.breaths * u),
           slow = std::sin(full_turn * u + 0.9);
    body.hips += Vec3d(o.sway * shift, -0.004 * shift * shift, 0.004 * slow);
    body.pelvis = {1 * deg, 1.5 * deg * slow, 1.6 * deg * shift};
    body.spine = {0.5 * deg, -0.8 * deg * slow, -1.2 * deg * shift};
    body.chest = {1.0 * deg - 1.4 * deg * breath, -0.7 * deg * slow, -0.8 * deg * shift};
    body.neck = {0.3 * deg + 0.5 * deg * breath, 1.5 * deg * std::sin(full_turn * u + 2.2), 0.2 * deg * shift};
    body.head = {-2.4 * deg + 0.6 * deg * breath, 3.0 * deg * std::sin(full_turn * u + 1.6), 0.2 * deg * shift};
    for (int side = 0; side < 2; ++side) {
        ArmAngles& arm = body.arms[side];
        arm.shrug = 1.2 * deg * breath;
        arm.spread += 0.8 * deg * breath;
        arm.swing += 1.5 * deg * std::sin(full_turn * u + (side == 0 ? 0.4 : 1.9));
        arm.elbow += 1.5 * deg * std::sin(full_turn * u + 2.0);
    }
    return body;
}

struct JumpHeights {
    double stand, low, take_off, landing, absorbed, speed;
};

// How far the ankle moves from the flat foot's place when the foot stands on its toes with the heel up by `pitch`.
Vec3d on_toes(const BodySize& size, double pitch) {
    double ahead = size.foot_length, down = size.ankle_height - size.toe_height;
    double c = std::cos(pitch), s = std::sin(pitch);
    return {0, size.toe_height + down * c + ahead * s - size.ankle_height, ahead - (ahead * c - down * s)};
}

constexpr double take_off_pitch = 52 * deg, landing_pitch = 34 * deg;

double flight_time(const JumpOptions& o) {
    double speed = std::sqrt(2 * o.gravity * o.height);
    return (speed + std::sqrt(speed * speed + 2 * o.gravity * o.landing_drop)) / o.gravity;
}

double hips_height(const JumpOptions& o, const JumpTimes& times, const JumpHeights& y, double t) {
    double bottom = o.stand_time + o.crouch_time;
    if (t < bottom) return y.stand + (y.low - y.stand) * smoothstep((t - o.stand_time) / o.crouch_time);
    if (t < times.take_off) return hermite(y.low, y.take_off, 0, o.push_time * y.speed, (t - bottom) / o.push_time);
    if (t < times.landing) {
        double s = t - times.take_off;
        return y.take_off + y.speed * s - 0.5 * o.gravity * s * s;
    }
    double impact = y.speed - o.gravity * (times.landing - times.take_off);
    double after = t - times.landing;
    if (after < o.absorb_time) {
        return hermite(y.landing, y.absorbed, o.absorb_time * impact, 0, after / o.absorb_time);
    }
    return y.absorbed + (y.stand - y.absorbed) * smoothstep((after - o.absorb_time) / o.recover_time);
}

void place_jumping_feet(const BodySize& size, const JumpTimes& times, double t, BodyPose& body) {
    double air = std::clamp((t - times.take_off) / (times.landing - times.take_off), 0.0, 1.0);
    double pitch = curve_at(t, {{times.take_off - 0.20, 0},
                                {times.take_off, take_off_pitch},
                                {times.take_off + 0.10, take_off_pitch * 0.92},
                                {times.landing, landing_pitch},
                                {times.landing + 0.13, 0}});
    bool flying = t > times.take_off && t < times.landing;
    for (FootTarget& foot : body.feet) {
        Vec3d rise = on_toes(size, pitch);
        Vec3d turned = Eigen::AngleAxisd(foot.yaw, Vec3d::UnitY()) * rise;
        foot.ankle += turned;
        foot.pitch = pitch;
        foot.planted = !flying;
        foot.toe_bend = flying ? pitch * (1 - smoothstep(std::min(air, 1 - air) / 0.2)) : pitch;
    }
}

}  // namespace

std::vector<BodyPose> idle_poses(const BodySize& size, const StandOptions& options) {
    int frames = static_cast<int>(std::lround(options.seconds * options.fps));
    std::vector<BodyPose> poses;
    for (int i = 0; i <= frames; ++i) poses.push_back(idle_at(size, options, static_cast<double>(i) / frames));
    stand_up(size, poses, 0.994);
    return poses;
}

std::vector<BodyPose> wave_poses(const BodySize& size, const WaveOptions& o) {
    int frames = static_cast<int>(std::lround(o.seconds * o.fps));
    std::vector<BodyPose> poses;
    for (int i = 0; i <= frames; ++i) {
        double t = i / o.fps;
        BodyPose body = idle_at(size, {}, static_cast<double>(i) / frames);
        double up = smoothstep((t - o.raise_from) / o.raise_time) * (1 - smoothstep((t - o.lower_from) / o.raise_time));
        double wave = std::sin(full_turn * o.waves_per_second * (t - o.raise_from - 0.8 * o.raise_time)) * up * up;
        ArmAngles& arm = body.arms[1];
        auto blend = [&](double& angle, double to) { angle += (to - angle) * up; };
        blend(arm.spread, 84 * deg);
        blend(arm.swing, 8 * deg);
        blend(arm.twist, -84 * deg);
        blend(arm.elbow, 82 * deg);
        blend(arm.wrist, -4 * deg);
        blend(arm.shrug, 9 * deg);
        arm.elbow += o.wave_deg * deg * wave;
        arm.wrist_side += 12 * deg * wave;
        arm.spread += 4 * deg * wave;
        body.pelvis.z() -= 1.0 * deg * up;
        body.chest.z() -= 3.0 * deg * up;
        body.head.z() += 6.0 * deg * up;
        body.head.y() -= 5.0 * deg * up;
        body.finger_curl *= 1 - 0.75 * up;
        poses.push_back(body);
    }
    stand_up(size, poses, 0.994);
    return poses;
}

JumpTimes jump_times(const JumpOptions& o) {
    double take_off = o.stand_time + o.crouch_time + o.push_time;
    double landing = take_off + flight_time(o);
    return {take_off, landing, landing + o.absorb_time + o.recover_time + 0.1};
}

std::vector<BodyPose> jump_poses(const BodySize& size, const JumpOptions& o) {
    JumpTimes times = jump_times(o);
    BodyPose still = standing(size, 0.11, 8 * deg);
    std::vector<BodyPose> probe{still};
    JumpHeights y{};
    y.stand = still.hips.y() + fit_hips_height(size, probe, 0.994);
    for (FootTarget& foot : probe[0].feet) foot.ankle += on_toes(size, take_off_pitch);
    y.take_off = still.hips.y() + fit_hips_height(size, probe, 0.985);
    y.landing = y.take_off - o.landing_drop;
    y.low = y.stand - o.crouch;
    y.absorbed = y.stand - o.absorb;
    y.speed = std::sqrt(2 * o.gravity * o.height);

    double bottom = o.stand_time + o.crouch_time, soft = times.landing + o.absorb_time, up = soft + o.recover_time;
    int frames = static_cast<int>(std::ceil(times.end * o.fps));
    std::vector<BodyPose> poses;
    for (int i = 0; i <= frames; ++i) {
        double t = i / o.fps;
        BodyPose body = still;
        double bend = curve_at(
            t, {{o.stand_time, 0}, {bottom, 1}, {times.take_off, 0.0}, {times.landing, 0.12}, {soft, 0.85}, {up, 0}});
        body.hips.y() = hips_height(o, times, y, t);
        body.hips.z() =
            -0.075 * bend + curve_at(t, {{bottom, 0}, {times.take_off, 0.055}, {times.landing, 0.03}, {soft, 0}});
        body.pelvis.x() = 26 * deg * bend;
        body.spine.x() = 10 * deg * bend;
        body.chest.x() = 10 * deg * bend -
                         6 * deg * curve_at(t, {{bottom, 0}, {times.take_off, 1}, {times.landing, 0.2}, {soft, 0}});
        body.neck.x() = -12 * deg * bend;
        body.head.x() = -14 * deg * bend;
        place_jumping_feet(size, times, t, body);
        bool flying = t > times.take_off && t < times.landing;
        if (flying) {
            // In the air the feet hang from the hips; the knees bend a little, most at the top.
            double air = (t - times.take_off) / (times.landing - times.take_off);
            double base = y.take_off + (y.landing - y.take_off) * air;
            double tuck = 0.10 * std::pow(std::sin(pi * air), 2);
            for (FootTarget& foot : body.feet) {
                foot.ankle.y() += body.hips.y() - base + tuck;
                foot.ankle.z() -= 0.5 * tuck;
            }
        }
        for (ArmAngles& arm : body.arms) {
            arm.swing = deg * curve_at(t, {{o.stand_time, 3},
                                           {bottom - 0.02, -42},
                                           {times.take_off + 0.04, 118},
                                           {times.landing, 62},
                                           {soft + 0.05, 18},
                                           {up, 3}});
            arm.elbow = deg * curve_at(t, {{o.stand_time, 14},
                                           {bottom, 22},
                                           {times.take_off, 40},
                                           {times.landing, 34},
                                           {soft, 38},
                                           {up, 14}});
            arm.spread =
                deg *
                curve_at(
                    t,
                    {{o.stand_time, 9}, {bottom, 16}, {times.take_off, 14}, {times.landing, 32}, {soft, 26}, {up, 9}});
        }
        poses.push_back(body);
    }
    return poses;
}

}  // namespace sinew
