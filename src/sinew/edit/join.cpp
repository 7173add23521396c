#include <sinew/edit/join.h>

#include <sinew/clip/clip.h>
#include <sinew/edit/layers.h>
#include <sinew/edit/marks.h>
#include <sinew/edit/root_motion.h>
#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// From 0 to 1, level at both ends up to the second derivative: a fade by it has no jump in speed.
double fade_in(double u) {
    u = std::clamp(u, 0.0, 1.0);
    return u * u * u * (u * (6.0 * u - 15.0) + 10.0);
}

double nearest_yaw(double yaw, double to) {
    constexpr double turn = 2.0 * std::numbers::pi;
    return yaw + turn * std::round((to - yaw) / turn);
}

Pose fade(const Pose& from, const Pose& to, double weight) {
    Pose out;
    blend_poses(from, to, weight, {}, out);
    return out;
}

struct Timeline {
    ClipFrames frames;
    void add(double time, Pose pose) {
        if (!frames.times.empty() && !(static_cast<float>(time) > frames.times.back())) return;
        frames.times.push_back(static_cast<float>(time));
        frames.poses.push_back(std::move(pose));
    }
};

}  // namespace

Clip concatenate(const Clip& first, const Clip& second, const ClipBody& body, float blend) {
    const double rate = std::max(clip_rate(first), clip_rate(second));
    const double d1 = duration(first), d2 = duration(second);
    const double overlap = std::clamp<double>(blend, 0.0, 0.5 * std::min(d1, d2)), start = d1 - overlap;
    const std::vector<int32_t> carriers = find_carriers(first, body);
    const auto pose_of = [&](const Clip& clip, double time) {
        Pose pose = body.rest;
        sample(clip, static_cast<float>(time), pose);
        return pose;
    };
    // The places at the middle of the overlap meet.
    const GroundPlace end = ground_place(pose_of(first, start + 0.5 * overlap), body, carriers);
    const GroundPlace begin = ground_place(pose_of(second, 0.5 * overlap), body, carriers);
    const GroundPlace by = compose(end, inverse(begin));
    Timeline line;
    const double total = start + d2;
    for (size_t f = 0; static_cast<double>(f) / rate < total - 1e-3 / rate; ++f) {
        const double time = static_cast<double>(f) / rate;
        if (time < start) {
            line.add(time, pose_of(first, time));
            continue;
        }
        Pose pose = pose_of(second, time - start);
        move_pose(by, body, carriers, pose);
        line.add(time,
                 time < d1 ? fade(pose_of(first, time), pose, fade_in((time - start) / overlap)) : std::move(pose));
    }
    Pose last = pose_of(second, d2);
    move_pose(by, body, carriers, last);
    line.add(total, std::move(last));
    Clip like = first;
    like.tracks.insert(like.tracks.end(), second.tracks.begin(), second.tracks.end());
    append_marks(like, second, start);
    return frames_to_clip(line.frames, body, like);
}

Clip loop_clip(const Clip& clip, const ClipBody& body, float blend) {
    const double length = duration(clip), rate = clip_rate(clip);
    const double overlap = std::clamp<double>(blend, 0.0, 0.5 * length), total = length - overlap;
    if (!(total > 0.0)) return clip;
    const std::vector<int32_t> carriers = find_carriers(clip, body);
    const auto pose_of = [&](double time) {
        Pose pose = body.rest;
        sample(clip, static_cast<float>(time), pose);
        return pose;
    };
    // One round's way: from the middle of the fade to the same place in what fades in.
    const GroundPlace here = ground_place(pose_of(0.5 * overlap), body, carriers);
    GroundPlace there = ground_place(pose_of(total + 0.5 * overlap), body, carriers);
    there.yaw = nearest_yaw(there.yaw, here.yaw);
    GroundPlace back = compose(here, inverse(there));
    // A body that stays where it is ends exactly where it began.
    constexpr double stays = 0.1, looks_ahead = 0.25;  // metres, radians
    if (std::hypot(there.x - here.x, there.z - here.z) < stays && std::abs(there.yaw - here.yaw) < looks_ahead)
        back = {};
    Timeline line;
    const auto looped = [&](double time) {
        Pose pose = pose_of(time);
        if (time >= overlap) return pose;
        Pose tail = pose_of(total + time);
        move_pose(back, body, carriers, tail);
        return fade(tail, pose, fade_in(time / overlap));
    };
    for (size_t f = 0; static_cast<double>(f) / rate < total - 1e-3 / rate; ++f)
        line.add(static_cast<double>(f) / rate, looped(static_cast<double>(f) / rate));
    // The end is the beginning, one round further.
    Pose last = looped(0.0);
    move_pose(inverse(back), body, carriers, last);
    line.add(total, std::move(last));
    Clip like = clip;
    cut_marks(like, 0.0, total);
    // What happens in the tail happens at the beginning, unless it is there already.
    std::vector<ClipEvent> tail = clip.events;
    std::erase_if(tail, [&](const ClipEvent& event) { return event.time <= total; });
    merge_events(like, tail, -total, overlap);
    return frames_to_clip(line.frames, body, like);
}

}  // namespace sinew
