#include <sinew/sets/clean/clean_clip.h>

#include <sinew/clip/clip.h>
#include <sinew/edit/frames.h>
#include <sinew/math/interpolate.h>
#include <sinew/sets/clean/clean_body.h>
#include <sinew/sets/clean/clean_joint.h>
#include <sinew/sets/own_feet.h>
#include <sinew/sets/own_frames.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Result<void> check_clean(const Skeleton& skeleton, const Clip& clip, const CleanOptions& options) {
    if (!(options.cutoff > 0.0) || !std::isfinite(options.cutoff))
        return fail(ErrorCode::invalid_argument, "the cut-off must be above 0 Hz; 6 is usual", "--cutoff");
    if (!(options.beta >= 0.0) || !std::isfinite(options.beta) || !(options.longest_gap >= 0.0))
        return fail(ErrorCode::invalid_argument, "beta and the longest gap cannot be negative");
    constexpr double most_frames = 1e6;
    if (duration(clip) * clip_rate(clip) > most_frames)
        return fail(ErrorCode::limit_exceeded,
                    "the clip has more than a million frames; cut it first (sinew edit --trim)");
    return validate(clip, skeleton.size(), 0);
}

// How far each frame's worst joint is from where it was.
std::vector<float> measure_change(const Skeleton& skeleton, std::span<const Pose> before, std::span<const Pose> after,
                                  double millimetres) {
    std::vector<AffineD> a(skeleton.size()), b(skeleton.size());
    std::vector<float> most;
    for (size_t f = 0; f < before.size(); ++f) {
        local_to_world(skeleton.parents(), before[f].local, a);
        local_to_world(skeleton.parents(), after[f].local, b);
        double worst = 0;
        for (size_t j = 0; j < a.size(); ++j) worst = std::max(worst, (a[j].translation() - b[j].translation()).norm());
        most.push_back(static_cast<float>(worst * millimetres));
    }
    return most;
}

// A body that is no person counts as 1.7 m tall, or long, where it would be no usual size in metres.
double skeleton_unit(const Skeleton& skeleton) {
    constexpr double usual = 1.7, smallest = 0.05, largest = 20.0;
    Box box;
    for (const AffineD& joint : rest_world(skeleton)) box.add(Vec3(joint.translation().cast<float>()));
    const double size = box.size().maxCoeff();
    return !(size > 0.0) || (size > smallest && size < largest) ? 1.0 : usual / size;
}

Clip without_morphs(const Clip& clip) {
    Clip joints = clip;
    std::erase_if(joints.tracks, [](const Track& track) { return track.path == TrackPath::morphs; });
    return joints;
}

// Morph tracks come along as they are, from where the clip now begins.
void keep_morphs(const Clip& from, float start, Clip& to) {
    for (Track track : from.tracks) {
        if (track.path != TrackPath::morphs) continue;
        std::vector<float> first(static_cast<size_t>(track.width));
        sample_track(track, start, first.data());
        const size_t each = track.values_per_key();
        size_t drop = 0;
        while (drop + 1 < track.times.size() && track.times[drop] < start) ++drop;
        track.times.erase(track.times.begin(), track.times.begin() + static_cast<std::ptrdiff_t>(drop));
        track.values.erase(track.values.begin(), track.values.begin() + static_cast<std::ptrdiff_t>(drop * each));
        for (float& time : track.times) time = std::max(0.0f, time - start);
        to.tracks.push_back(std::move(track));
    }
}

}  // namespace

std::string_view to_string(CleanKind kind) {
    switch (kind) {
        case CleanKind::t_pose:
            return "t-pose";
        case CleanKind::spike:
            return "spike";
        case CleanKind::gap:
            return "gap";
        case CleanKind::noise:
            return "noise";
        case CleanKind::drift:
            return "drift";
        case CleanKind::feet:
            return "feet";
    }
    return "";
}

Result<CleanResult> clean_clip(const Skeleton& skeleton, const Clip& clip, const CleanOptions& options) {
    const Clip joints = without_morphs(clip);
    SINEW_TRY_VOID(check_clean(skeleton, joints, options));
    CleanResult result{clip, {}, {}, {}, 0, 0, 0, 0, 0, {}};
    const ClipBody body = make_clip_body(skeleton);
    OwnFrames own = sample_own_frames(joints, body);
    const double fps = own.fps;
    ClipFrames& frames = own.frames;
    if (joints.tracks.empty() || frames.poses.size() < 2) return result;
    const std::optional<Body> person = find_own_body(skeleton, joints);
    const double metres = person ? metres_per_unit(*person) : skeleton_unit(skeleton);

    const float end = frames.times.back();
    if (options.t_pose) drop_t_poses(joints, fps, frames, result);
    const std::vector<Pose> before = frames.poses;
    clean_joints(skeleton.parents(), joints, fps, metres, options, frames, result);
    if (options.drift || options.feet) clean_feet(person, fps, options, frames, result);
    result.times = frames.times;
    result.changed_mm = measure_change(skeleton, before, frames.poses, 1000.0 * metres);

    const float start = frames.times.front();
    result.dropped_start = start;
    result.dropped_end = end - frames.times.back();
    for (float& time : frames.times) time -= start;
    result.clip = frames_to_clip(frames, body, joints);
    keep_morphs(clip, start, result.clip);
    return result;
}

}  // namespace sinew
