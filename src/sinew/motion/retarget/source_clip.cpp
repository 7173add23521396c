#include <sinew/motion/retarget/source_clip.h>

#include <fmt/format.h>
#include <sinew/clip/clip.h>
#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double most_frames = 1e6;

constexpr float longest_t_pose = 0.1f;  // seconds

// Some captures begin with one or a few frames of a T-pose and jump away from it. Where several joints jump from one
// key to the next, calm before and after, this is the time of the key they jump to; else 0.
float end_of_leading_t_pose(const Clip& clip) {
    constexpr float least_jump = radians(12), calm = 0.25f;  // calm: of the jump
    constexpr float slowest_keys = 0.06f;                    // seconds from key to key
    constexpr int several = 4;
    float step = INFINITY;
    for (const Track& track : clip.tracks)
        if (track.times.size() > 2) step = std::min(step, track.times[1]);
    if (!(step > 0 && step < slowest_keys)) return 0;
    const auto last = std::max(1, static_cast<int>(longest_t_pose / step));
    std::vector<int> jumps(static_cast<size_t>(last) + 1, 0);
    for (const Track& track : clip.tracks) {
        if (track.path != TrackPath::rotation || track.times.size() < 3) continue;
        std::vector<Quat> key(static_cast<size_t>(last) + 2);
        for (size_t k = 0; k < key.size(); ++k)
            sample_track(track, static_cast<float>(k) * step, key[k].coeffs().data());
        for (size_t k = 1; k < jumps.size(); ++k) {
            const float jump = angle_between(key[k - 1], key[k]), then = angle_between(key[k], key[k + 1]),
                        before = k < 2 ? 0 : angle_between(key[k - 2], key[k - 1]);
            jumps[k] += jump > least_jump && then < calm * jump && before < calm * jump;
        }
    }
    for (size_t k = jumps.size() - 1; k > 0; --k)
        if (jumps[k] >= several) return static_cast<float>(k) * step;
    return 0;
}

// High for straight legs and for level arms to the sides: the usual rest poses.
double stance_score(const HumanoidMap& map, const WorldPose& pose, const Vec3d& up) {
    double score = 0;
    for (size_t side = 0; side < 2; ++side) {
        const auto direction = [&](Role from, Role to) -> Vec3d {
            if (map[from] < 0 || map[to] < 0) return Vec3d::Zero();
            return (pose.position[static_cast<size_t>(map[to])] - pose.position[static_cast<size_t>(map[from])])
                .normalized();
        };
        const auto leg = leg_roles(side), arm = arm_roles(side);
        score -= direction(leg[0], leg[1]).dot(up) + direction(leg[1], leg[2]).dot(up);
        const Vec3d out = body_frame(map, pose).col(0) * (side == 0 ? 1.0 : -1.0);
        score += 0.5 * direction(arm[1], arm[2]).dot(out) + 0.5 * direction(arm[2], arm[3]).dot(out);
    }
    return score;
}

}  // namespace

WorldPose carry(WorldPose pose, const Cycle& cycle, std::ptrdiff_t rounds) {
    for (; rounds > 0; --rounds) {
        for (Vec3d& position : pose.position) position = cycle.turn * position + cycle.shift;
        for (Quatd& rotation : pose.rotation) rotation = cycle.turn * rotation;
    }
    for (; rounds < 0; ++rounds) {
        for (Vec3d& position : pose.position) position = cycle.turn.conjugate() * (position - cycle.shift);
        for (Quatd& rotation : pose.rotation) rotation = cycle.turn.conjugate() * rotation;
    }
    return pose;
}

WorldPose SourceClip::pose_at(size_t frame) const {
    Pose pose{skeleton.rest(), {}};
    if (cycle.frames == 0) {
        sample(clip, std::max(start, times[frame]), pose);
        return world_pose(skeleton, pose.local);
    }
    const auto n = static_cast<std::ptrdiff_t>(cycle.frames);
    const std::ptrdiff_t own = static_cast<std::ptrdiff_t>(frame) - static_cast<std::ptrdiff_t>(lead);
    const std::ptrdiff_t rounds = own >= 0 ? own / n : -((n - 1 - own) / n);
    sample(clip, times[lead + static_cast<size_t>(own - rounds * n)], pose);
    return carry(world_pose(skeleton, pose.local), cycle, rounds);
}

std::vector<float> SourceClip::own_times() const {
    if (cycle.frames == 0) return times;
    const auto first = times.begin() + static_cast<std::ptrdiff_t>(lead);
    return {first, first + static_cast<std::ptrdiff_t>(cycle.frames) + 1};
}

Clip joints_only(const Clip& motion) {
    Clip part{motion.name, {}, -1};
    for (const Track& track : motion.tracks)
        if (track.path != TrackPath::morphs) part.tracks.push_back(track);
    return part;
}

Result<SourceClip> make_source_clip(const Skeleton& skeleton, const Clip& motion, float fps) {
    if (!(fps > 0) || !std::isfinite(fps))
        return fail(ErrorCode::invalid_argument, "frames per second must be above zero; 30 is usual");
    SourceClip source{skeleton, joints_only(motion), {}};
    SINEW_TRY_VOID(validate(source.clip, skeleton.size(), 0));
    source.start = end_of_leading_t_pose(source.clip);
    const double length = duration(source.clip);
    if (length * fps > most_frames)
        return fail(
            ErrorCode::limit_exceeded,
            fmt::format("{} s at {} frames per second is too long; cut the clip or lower the rate", length, fps));
    const auto whole = static_cast<size_t>(std::floor(length * fps + 1e-3));
    for (size_t i = 0; i <= whole; ++i) source.times.push_back(static_cast<float>(static_cast<double>(i) / fps));
    if (length * fps - static_cast<double>(whole) > 1e-3)
        source.times.push_back(static_cast<float>(length));
    else if (whole > 0)
        source.times.back() = static_cast<float>(length);
    return source;
}

WorldPose find_reference_pose(const SourceClip& source, const HumanoidMap& map, const std::vector<Transform>& stance,
                              std::vector<std::string>& warnings) {
    WorldPose rest = world_pose(source.skeleton, stance.empty() ? source.skeleton.rest() : stance);
    if (is_standing(map, rest, body_frame(map, rest).col(1))) return rest;
    const size_t step = std::max<size_t>(1, source.times.size() / 200);
    double best = -1;
    size_t best_frame = 0;
    for (size_t f = 0; f < source.times.size(); f += step) {
        const WorldPose pose = source.pose_at(f);
        const Vec3d up = body_frame(map, pose).col(1);
        if (!is_standing(map, pose, up)) continue;
        const double score = stance_score(map, pose, up);
        if (score > best) {
            best = score;
            best_frame = f;
        }
    }
    if (best < 0) return rest;
    warnings.push_back(
        fmt::format("the motion's rest pose does not stand: its frame at {:.2f} s serves as the reference",
                    source.times[best_frame]));
    return source.pose_at(best_frame);
}

SourcePaths trace_paths(const SourceClip& clip, const Body& body) {
    SourcePaths paths;
    paths.has_feet = body.feet[0].ankle >= 0 && body.feet[1].ankle >= 0;
    for (size_t f = 0; f < clip.times.size(); ++f) {
        const WorldPose pose = clip.pose_at(f);
        paths.sockets.push_back(socket_center(body.map, pose));
        for (size_t side = 0; side < 2 && paths.has_feet; ++side) {
            const auto ankle = static_cast<size_t>(body.feet[side].ankle);
            paths.feet[side].ankle.push_back(pose.position[ankle]);
            paths.feet[side].ball.push_back(body.feet[side].ball(pose));
            paths.foot_rotation[side].push_back(pose.rotation[ankle]);
        }
    }
    return paths;
}

Vec3d find_sole_up(const Body& body, const SourcePaths& paths, size_t side, double fps) {
    const Vec3d up = body.frame.col(1);
    const std::vector<Vec3d>& ankle = paths.feet[side].ankle;
    const std::array path = {&ankle};
    const double low = standing_height(path, up, body.leg, fps) + 0.03 * body.leg, slow = 0.3 * body.leg;
    Vec3d sum = Vec3d::Zero();
    size_t count = 0;
    for (size_t f = 1; f + 1 < ankle.size(); ++f) {
        if (ankle[f].dot(up) > low || (ankle[f + 1] - ankle[f - 1]).norm() * 0.5 * fps > slow) continue;
        sum += paths.foot_rotation[side][f].conjugate() * up;
        ++count;
    }
    if (count < 5 || sum.norm() < 0.9 * static_cast<double>(count)) return Vec3d::Zero();
    return body.reference.rotation[static_cast<size_t>(body.feet[side].ankle)] * sum.normalized();
}

}  // namespace sinew
