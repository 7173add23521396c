#include <sinew/pipeline/simulate/secondary.h>

#include <sinew/edit/frames.h>
#include <sinew/edit/root_motion.h>
#include <sinew/io/spring_bones.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double swing_rate = 60.0;
// Springs come to what they do in a cycle within this time.
constexpr double most_lead = 2.0;
constexpr double air_lag = 0.3;
// A rotation whose parts differ by less than this does not move.
constexpr float still = 1e-4f;

bool turns_in(const Clip& clip, int32_t joint) {
    for (const Track& track : clip.tracks) {
        if (track.target != joint || track.path != TrackPath::rotation) continue;
        for (size_t i = 4; i < track.values.size(); ++i)
            if (std::abs(track.values[i] - track.values[i % 4]) > still) return true;
    }
    return false;
}

}  // namespace

SpringBones spring_bones_of(const Character& character) {
    SpringBones bones = read_spring_bones(character);
    return bones.bones.empty() ? find_spring_bones(character.skeleton) : bones;
}

size_t bake_spring_bones(const Character& character, const SpringBones& all, Clip& clip) {
    SpringBones bones = all;
    if (bones.by_name) std::erase_if(bones.bones, [&](const SpringBone& bone) { return turns_in(clip, bone.joint); });
    const double length = duration(clip);
    if (bones.bones.empty() || !(length > 0.0)) return 0;
    SpringBoneSimulation simulation(bones, character.skeleton, character.skeleton.rest());
    Pose pose = rest_pose(character);
    const Pose rest = pose;
    const auto show = [&](double time) {
        pose = rest;
        sample(clip, static_cast<float>(std::clamp(time, 0.0, length)), pose);
    };
    // A round before the first, which ends where the clip begins, though the body may travel.
    const ClipBody body{character.skeleton, rest};
    const std::vector<int32_t> carriers = find_carriers(clip, body);
    show(length);
    const GroundPlace end = ground_place(pose, body, carriers);
    show(0.0);
    const GroundPlace back = compose(ground_place(pose, body, carriers), inverse(end));
    simulation.reset(pose.local);
    const double step = 1.0 / swing_rate;
    // VRM's drag holds hair back in still air: at a walk it would stream as in a storm. What is found by name swings in
    // air that goes along with the body, some time later: starts and stops are felt, a steady walk is not.
    GroundPlace last = ground_place(pose, body, carriers);
    Vec3d air = Vec3d::Zero();
    bool moved = false;
    const auto swing = [&] {
        const GroundPlace now = ground_place(pose, body, carriers);
        const Vec3d way(now.x - last.x, 0.0, now.z - last.z);
        if (bones.by_name && moved) air += std::min(1.0, step / air_lag) * (way - air);
        last = now;
        moved = true;
        simulation.step(step, pose.local, air);
    };
    for (double t = std::max(-length, -most_lead); t < -0.5 * step; t += step) {
        show(length + t);
        move_pose(back, body, carriers, pose);
        swing();
    }
    const auto frames = static_cast<size_t>(std::lround(length * swing_rate)) + 1;
    std::vector<Track> tracks(bones.bones.size());
    for (size_t i = 0; i < tracks.size(); ++i)
        tracks[i] = {.target = bones.bones[i].joint, .path = TrackPath::rotation};
    const auto every = static_cast<size_t>(std::max(1.0, std::round(swing_rate / clip_rate(clip))));
    for (size_t f = 0; f < frames; ++f) {
        show(static_cast<double>(f) * step);
        swing();
        if (f % every != 0 && f + 1 != frames) continue;
        for (Track& track : tracks) {
            Quat q = pose.local[static_cast<size_t>(track.target)].rotation;
            if (!track.values.empty() &&
                Eigen::Map<const Eigen::Vector4f>(&track.values[track.values.size() - 4]).dot(q.coeffs()) < 0.0f)
                q.coeffs() *= -1.0f;
            track.times.push_back(static_cast<float>(f + 1 == frames ? length : static_cast<double>(f) * step));
            track.values.insert(track.values.end(), q.coeffs().data(), q.coeffs().data() + 4);
        }
    }
    std::erase_if(clip.tracks, [&](const Track& track) {
        return track.path == TrackPath::rotation &&
               std::ranges::any_of(tracks, [&](const Track& t) { return t.target == track.target; });
    });
    for (Track& track : tracks) {
        if (track.times.size() > 1 && !(track.times[track.times.size() - 2] < track.times.back()))
            track.times.pop_back(), track.values.resize(track.values.size() - 4);
        clip.tracks.push_back(std::move(track));
    }
    return tracks.size();
}

}  // namespace sinew
