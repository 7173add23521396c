#include <sinew/edit/principles.h>

#include <sinew/clip/clip.h>
#include <sinew/curve/ease.h>
#include <sinew/curve/noise.h>
#include <sinew/curve/rotation_curve.h>
#include <sinew/edit/joint_paths.h>
#include <sinew/edit/timing.h>
#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A clip while it is being changed: as it was, and as it becomes.
struct Editing {
    const Clip& clip;
    const ClipBody& body;
    double fps, length;
    ClipFrames before, after;
    int32_t carrier;
    Editing(const Clip& edited, const ClipBody& of)
        : clip(edited),
          body(of),
          fps(clip_rate(edited)),
          length(duration(edited)),
          before(sample_frames(edited, of, fps)),
          after(before),
          carrier(find_carrier(edited, of)) {}
    size_t joint_count() const { return body.rest.local.size(); }
    size_t frame_count() const { return before.poses.size(); }
    void set_rotation(size_t frame, size_t joint, const Quatd& q) {
        after.poses[frame].local[joint].rotation = q.normalized().cast<float>();
    }
    Clip done() const { return frames_to_clip(after, body, clip); }
};

bool turns(const std::vector<Quatd>& q) {
    constexpr double nothing = 1e-6;
    return std::ranges::any_of(q, [&](const Quatd& r) { return r.angularDistance(q.front()) > nothing; });
}

// Where holds come from: a joint slower than this is taken to stand, if it does so for so long.
constexpr double still_speed = 0.09;   // radians per second: five degrees
constexpr double shortest_hold = 0.2;  // seconds

}  // namespace

Clip anticipate(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask) {
    if (strength == 0.0) return clip;
    Editing e(clip, body);
    constexpr double sigma = 0.12;  // seconds: how long before a movement the wind-up begins, about
    constexpr double most = 0.8;    // radians: a wind-up is never a movement of its own
    for (size_t j = 0; j < e.joint_count(); ++j) {
        const double weight = strength * mask_weight(mask, j);
        const std::vector<Quatd> q = rotations_of(e.before, j);
        if (weight == 0.0 || !turns(q)) continue;
        const std::vector<Vec3d> speed = smoothed(angular_velocities(q, e.fps), sigma, e.fps);
        const std::vector<Vec3d> acceleration = derivative(speed, e.fps);
        const auto ahead = static_cast<size_t>(std::lround(sigma * e.fps));
        for (size_t f = 0; f < q.size(); ++f) {
            const Vec3d against = -acceleration[f] * (sigma * sigma * 4.0);
            // Only where the joint is about to move the other way: at the end of a movement the same filter would
            // overshoot.
            const Vec3d& coming = speed[std::min(f + ahead, q.size() - 1)];
            const double scale = against.norm() * coming.norm();
            const double facing = scale > 1e-9 ? -against.dot(coming) / scale : 0.0;
            const double amount = weight * smoothstep(facing) * window(e.before.times[f], e.length, 2.0 * sigma);
            Vec3d turn = amount * against;
            if (turn.norm() > most) turn *= most / turn.norm();
            e.set_rotation(f, j, q[f] * exp_map(turn));
        }
    }
    keep_height(e.before, body, e.carrier, e.after);
    // The ends are as they were, to the last bit.
    e.after.poses.front() = e.before.poses.front();
    e.after.poses.back() = e.before.poses.back();
    return e.done();
}

Clip follow_through(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask) {
    if (strength == 0.0) return clip;
    Editing e(clip, body);
    constexpr double lag_per_joint = 0.06;  // seconds with strength 1: two frames of film
    constexpr double longest = 0.4;         // seconds
    const std::vector<char> leg = leg_joints(body.skeleton);
    std::vector<int> depth(e.joint_count(), 0);
    for (size_t j = 0; j < e.joint_count(); ++j) {
        const int32_t parent = body.skeleton.parents()[j];
        if (static_cast<int32_t>(j) <= e.carrier || leg[j] || parent < 0) continue;
        depth[j] = depth[static_cast<size_t>(parent)] + 1;
    }
    Pose pose = body.rest;
    for (size_t j = 0; j < e.joint_count(); ++j) {
        const double lag = std::min(strength * mask_weight(mask, j) * lag_per_joint * depth[j], longest);
        if (lag == 0.0 || !turns(rotations_of(e.before, j))) continue;
        for (const Track& track : clip.tracks) {
            if (track.path != TrackPath::rotation || track.target != static_cast<int32_t>(j)) continue;
            for (size_t f = 0; f < e.frame_count(); ++f) {
                // Twice the lag as ramp keeps time from running backwards: smoothstep rises by at most 1.5 per ramp.
                const double delay = lag * window(e.before.times[f], e.length, std::max(2.0 * lag, 0.2));
                sample_track(track, static_cast<float>(e.before.times[f] - delay),
                             e.after.poses[f].local[j].rotation.coeffs().data());
            }
        }
    }
    return e.done();
}

Clip slow_in_and_out(const Clip& clip, const ClipBody& body, double strength) {
    if (strength == 0.0) return clip;
    return warp_time(clip, body, slow_in_out(duration(clip), strength));
}

Clip arcs(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask) {
    if (strength == 0.0) return clip;
    Editing e(clip, body);
    constexpr double spacing = 0.25;  // seconds between the poses that the arc goes through, at least
    for (const Track& track : clip.tracks) {
        const auto j = static_cast<size_t>(track.target);
        if (track.path != TrackPath::rotation || track.times.size() < 2) continue;
        const double weight = std::clamp(strength * mask_weight(mask, j), 0.0, 1.0);
        std::vector<RotationKey> keys;
        for (size_t k = 0; k < track.times.size(); ++k) {
            const bool last = k + 1 == track.times.size();
            if (!keys.empty() && !last && track.times[k] < keys.back().time + spacing) continue;
            Quat q;
            sample_track(track, track.times[k], q.coeffs().data());
            keys.push_back({track.times[k], q.cast<double>()});
        }
        take_shorter_ways(keys);
        for (size_t f = 0; weight > 0.0 && f < e.frame_count(); ++f) {
            const Quatd arc = evaluate(keys, RotationShape::exponential, e.before.times[f]);
            e.set_rotation(f, j, slerp(e.before.poses[f].local[j].rotation.cast<double>().normalized(), arc, weight));
        }
    }
    keep_height(e.before, body, e.carrier, e.after);
    return e.done();
}

Clip exaggerate(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask) {
    if (strength == 0.0) return clip;
    Editing e(clip, body);
    constexpr double most = 2.6;  // radians from the mean: 150 degrees, beyond which no joint goes
    for (size_t j = 0; j < e.joint_count(); ++j) {
        const double factor = 1.0 + 0.5 * strength * mask_weight(mask, j);
        const std::vector<Quatd> q = rotations_of(e.before, j);
        if (factor == 1.0 || !turns(q) || static_cast<int32_t>(j) == e.carrier) continue;
        Eigen::Vector4d sum = Eigen::Vector4d::Zero();
        for (const Quatd& r : q) sum += r.coeffs();
        const Quatd mean = sum.norm() > 0.0 ? Quatd(Eigen::Vector4d(sum.normalized())) : q.front();
        for (size_t f = 0; f < q.size(); ++f) {
            Quatd beyond = mean.conjugate() * q[f];
            if (beyond.w() < 0.0) beyond.coeffs() *= -1.0;
            const Vec3d turn = log_map(beyond);
            const double angle = turn.norm(), limit = std::max(angle, most);
            if (angle > 0.0) e.set_rotation(f, j, mean * exp_map(turn * (std::min(angle * factor, limit) / angle)));
        }
    }
    keep_height(e.before, body, e.carrier, e.after);
    return e.done();
}

Clip secondary_action(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask) {
    if (strength == 0.0) return clip;
    Editing e(clip, body);
    constexpr double sway = 0.07;  // radians with strength 1: four degrees a joint
    constexpr double pace = 0.7;   // waves a second, about
    const std::vector<char> leg = leg_joints(body.skeleton);
    for (size_t j = static_cast<size_t>(e.carrier) + 1; j < e.joint_count(); ++j) {
        const double weight = strength * mask_weight(mask, j);
        if (leg[j] || weight == 0.0 || !turns(rotations_of(e.before, j))) continue;
        for (size_t f = 0; f < e.frame_count(); ++f) {
            Vec3d turn;
            for (int c = 0; c < 3; ++c)
                turn[c] = sway * weight *
                          fractal_noise(2.0 * pace * e.before.times[f],
                                        {.octaves = 2, .seed = 3 * j + static_cast<uint64_t>(c)});
            // The ends stay, so that a cycle stays a cycle.
            turn *= window(e.before.times[f], e.length, 0.3);
            e.set_rotation(f, j, e.before.poses[f].local[j].rotation.cast<double>() * exp_map(turn));
        }
    }
    return e.done();
}

Clip moving_holds(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask) {
    if (strength == 0.0) return clip;
    Editing e(clip, body);
    constexpr double drift = 0.05, most = 0.06;  // radians with strength 1: three degrees
    const std::vector<char> leg = leg_joints(body.skeleton);
    for (size_t j = 0; j < e.joint_count(); ++j) {
        const double weight = strength * mask_weight(mask, j);
        const std::vector<Quatd> q = rotations_of(e.before, j);
        if (weight == 0.0 || leg[j] || static_cast<int32_t>(j) == e.carrier || !turns(q)) continue;
        const std::vector<Vec3d> speed = angular_velocities(q, e.fps);
        const auto stands = [&](size_t f) { return speed[f].norm() < still_speed; };
        for (size_t from = 0; from < q.size(); ++from) {
            if (!stands(from)) continue;
            size_t to = from;
            while (to + 1 < q.size() && stands(to + 1)) ++to;
            const double length = static_cast<double>(e.before.times[to]) - e.before.times[from];
            // The way it came; for a hold at the beginning, the opposite of the way it will go.
            const size_t look = static_cast<size_t>(std::lround(0.1 * e.fps));
            const Vec3d came =
                from > 0 ? speed[from > look ? from - look : 0] : Vec3d(-speed[std::min(to + look, q.size() - 1)]);
            if (length >= shortest_hold && came.norm() > 0.0) {
                const Vec3d way = came.normalized() * std::min(drift * weight, most * weight);
                for (size_t f = from; f <= to; ++f) {
                    const double u = (static_cast<double>(e.before.times[f]) - e.before.times[from]) / length;
                    const double bump =
                        16.0 * u * u * (1.0 - u) * (1.0 - u);  // 0 and level at both ends, 1 in the middle
                    e.set_rotation(f, j, q[f] * exp_map(bump * way));
                }
            }
            from = to;
        }
    }
    return e.done();
}

}  // namespace sinew
