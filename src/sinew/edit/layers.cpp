#include <sinew/edit/layers.h>

#include <sinew/clip/clip.h>
#include <sinew/core/check.h>
#include <sinew/edit/marks.h>
#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Vec3 mix(const Vec3& a, const Vec3& b, double w) {
    return ((1.0 - w) * a.cast<double>() + w * b.cast<double>()).cast<float>();
}

// What takes `from` to `to`, as a ratio; 1 where there is nothing to divide by.
float ratio(float to, float from) {
    return std::abs(from) > 1e-6f ? to / from : 1.0f;
}

}  // namespace

void blend_poses(const Pose& a, const Pose& b, double weight, const JointMask& mask, Pose& out) {
    SINEW_CHECK(a.local.size() == b.local.size() && a.morphs.size() == b.morphs.size());
    out.local.resize(a.local.size());
    out.morphs.resize(a.morphs.size());
    for (size_t j = 0; j < a.local.size(); ++j) {
        const double w = weight * mask_weight(mask, j);
        if (w == 0.0 || w == 1.0) {
            out.local[j] = w == 0.0 ? a.local[j] : b.local[j];
            continue;
        }
        out.local[j] = {mix(a.local[j].translation, b.local[j].translation, w),
                        slerp(a.local[j].rotation, b.local[j].rotation, w), mix(a.local[j].scale, b.local[j].scale, w)};
    }
    for (size_t m = 0; m < a.morphs.size(); ++m)
        out.morphs[m] =
            weight == 1.0 ? b.morphs[m] : static_cast<float>((1.0 - weight) * a.morphs[m] + weight * b.morphs[m]);
}

void add_to_pose(const Pose& base, const Pose& layer, const Pose& reference, double weight, const JointMask& mask,
                 Pose& out) {
    SINEW_CHECK(base.local.size() == layer.local.size() && base.local.size() == reference.local.size());
    out = base;
    for (size_t j = 0; j < base.local.size(); ++j) {
        const double w = weight * mask_weight(mask, j);
        if (w == 0.0) continue;
        const Transform &l = layer.local[j], &r = reference.local[j];
        Transform& t = out.local[j];
        t.translation += static_cast<float>(w) * (l.translation - r.translation);
        const Quat beyond = r.rotation.conjugate() * l.rotation;
        t.rotation = (t.rotation * slerp(Quat(Quat::Identity()), beyond, w)).normalized();
        for (int c = 0; c < 3; ++c) t.scale[c] *= 1.0f + static_cast<float>(w) * (ratio(l.scale[c], r.scale[c]) - 1.0f);
    }
    for (size_t m = 0; m < out.morphs.size(); ++m)
        out.morphs[m] += static_cast<float>(weight) * (layer.morphs[m] - reference.morphs[m]);
}

Clip blend_clips(const Clip& clip, const Clip& other, const ClipBody& body, double weight, const JointMask& mask) {
    if (weight == 0.0) return clip;
    ClipFrames frames = sample_frames(clip, body, std::max(clip_rate(clip), clip_rate(other)));
    const double stretch = duration(clip) > 0.0f ? duration(other) / static_cast<double>(duration(clip)) : 0.0;
    Pose pose = body.rest;
    for (size_t f = 0; f < frames.times.size(); ++f) {
        pose = body.rest;
        sample(other, static_cast<float>(frames.times[f] * stretch), pose);
        blend_poses(frames.poses[f], pose, weight, mask, frames.poses[f]);
    }
    Clip like = clip;  // animates what either animates
    like.tracks.insert(like.tracks.end(), other.tracks.begin(), other.tracks.end());
    constexpr double most = 0.5;
    if (mask.empty() && weight > most) {
        like.events = other.events;
        like.floats = other.floats;
        move_marks(like, [&](double time) { return stretch > 0.0 ? time / stretch : 0.0; });
    }
    return frames_to_clip(frames, body, like);
}

Clip add_layer(const Clip& clip, const Clip& layer, const ClipBody& body, double weight, const JointMask& mask) {
    if (weight == 0.0) return clip;
    ClipFrames frames = sample_frames(clip, body, std::max(clip_rate(clip), clip_rate(layer)));
    Pose reference = body.rest, pose = body.rest;
    sample(layer, 0.0f, reference);
    const float length = duration(layer);
    for (size_t f = 0; f < frames.times.size(); ++f) {
        sample(layer, length > 0.0f ? std::fmod(frames.times[f], length) : 0.0f, pose);
        add_to_pose(Pose(frames.poses[f]), pose, reference, weight, mask, frames.poses[f]);
    }
    return frames_to_clip(frames, body, clip);
}

}  // namespace sinew
