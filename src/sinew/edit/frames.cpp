#include <sinew/edit/frames.h>

#include <sinew/clip/clip.h>
#include <sinew/core/check.h>
#include <sinew/core/parallel.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// A millimetre: a translation that varies less does not carry the body.
constexpr float still = 1e-3f;

bool varies(const Track& track) {
    const size_t stride = track.values_per_key();
    for (size_t k = 1; k < track.times.size(); ++k)
        for (size_t c = 0; c < stride; ++c)
            if (std::abs(track.values[k * stride + c] - track.values[c]) > still) return true;
    return false;
}

struct TrackKind {
    TrackPath path;
    int32_t target;
    int32_t width;
};

const float* value_in(const Pose& pose, const TrackKind& kind) {
    const auto target = static_cast<size_t>(kind.target);
    switch (kind.path) {
        case TrackPath::translation:
            return pose.local[target].translation.data();
        case TrackPath::rotation:
            return pose.local[target].rotation.coeffs().data();
        case TrackPath::scale:
            return pose.local[target].scale.data();
        case TrackPath::morphs:
            return &pose.morphs[target];
    }
    return nullptr;
}

Track make_track(const ClipFrames& frames, const TrackKind& kind) {
    Track track{kind.target, kind.path, Interpolation::linear, kind.width, frames.times, {}};
    const auto width = static_cast<size_t>(kind.width);
    track.values.reserve(width * frames.poses.size());
    for (const Pose& pose : frames.poses) {
        const float* value = value_in(pose, kind);
        const size_t before = track.values.size();
        float dot = 0.0f;
        if (kind.path == TrackPath::rotation && before > 0)
            for (size_t c = 0; c < 4; ++c) dot += value[c] * track.values[before - 4 + c];
        for (size_t c = 0; c < width; ++c) track.values.push_back(dot < 0.0f ? -value[c] : value[c]);
    }
    return track;
}

bool is_constant(const Track& track) {
    const auto width = static_cast<size_t>(track.width);
    for (size_t i = width; i < track.values.size(); ++i)
        if (track.values[i] != track.values[i - width]) return false;
    return true;
}

bool differs(const Track& track, const Pose& rest, const TrackKind& kind) {
    const float* value = value_in(rest, kind);
    const auto width = static_cast<size_t>(track.width);
    for (size_t i = 0; i < track.values.size(); ++i)
        if (track.values[i] != value[i % width]) return true;
    return false;
}

// What goes along keeps its distance from the carrier, but for this share of the way that the carrier goes.
constexpr double most_strayed = 0.5;

// How far the carrier goes from where it began, over the ground; and by how much the distance of each other joint from
// it changes.
struct TravelPaths {
    double travelled = 0.0;
    std::vector<double> strayed;
};
TravelPaths trace_travel(const Clip& clip, const ClipBody& body, int32_t carrier, const std::vector<int32_t>& beside) {
    constexpr int looks = 32;
    TravelPaths paths;
    paths.strayed.assign(beside.size(), 0.0);
    std::vector<double> first(beside.size());
    std::vector<AffineD> world(body.rest.local.size());
    Vec3d start = Vec3d::Zero();
    for (int i = 0; i <= looks; ++i) {
        Pose pose = body.rest;
        sample(clip, static_cast<float>(duration(clip) * i / looks), pose);
        local_to_world(body.skeleton.parents(), pose.local, world);
        const Vec3d at = world[static_cast<size_t>(carrier)].translation();
        if (i == 0) start = at;
        paths.travelled = std::max(paths.travelled, std::hypot(at.x() - start.x(), at.z() - start.z()));
        for (size_t k = 0; k < beside.size(); ++k) {
            const double gap = (world[static_cast<size_t>(beside[k])].translation() - at).norm();
            if (i == 0) first[k] = gap;
            paths.strayed[k] = std::max(paths.strayed[k], std::abs(gap - first[k]));
        }
    }
    return paths;
}

}  // namespace

ClipBody make_clip_body(const Skeleton& skeleton) {
    return {skeleton, {skeleton.rest(), {}}};
}

double clip_rate(const Clip& clip) {
    const Track* densest = nullptr;
    for (const Track& track : clip.tracks)
        if (!densest || track.times.size() > densest->times.size()) densest = &track;
    constexpr double usual = 30.0;
    if (!densest || densest->times.size() < 2) return usual;
    std::vector<float> steps;
    for (size_t k = 1; k < densest->times.size(); ++k) steps.push_back(densest->times[k] - densest->times[k - 1]);
    std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
    return std::clamp(1.0 / static_cast<double>(steps[steps.size() / 2]), 1.0, 1000.0);
}

ClipFrames sample_frames(const Clip& clip, const ClipBody& body, double fps) {
    SINEW_CHECK(fps > 0.0);
    const double end = duration(clip);
    ClipFrames frames;
    // A frame that would stand within a thousandth of a step before the end is the end.
    const auto whole = static_cast<size_t>(std::floor(end * fps + 1e-3));
    for (size_t f = 0; f <= whole; ++f)
        frames.times.push_back(static_cast<float>(std::min(static_cast<double>(f) / fps, end)));
    if (end - frames.times.back() > 1e-3 / fps)
        frames.times.push_back(static_cast<float>(end));
    else
        frames.times.back() = static_cast<float>(end);
    frames.poses.assign(frames.times.size(), body.rest);
    for (size_t f = 0; f < frames.times.size(); ++f) sample(clip, frames.times[f], frames.poses[f]);
    return frames;
}

Clip frames_to_clip(const ClipFrames& frames, const ClipBody& body, const Clip& like) {
    SINEW_CHECK(!frames.times.empty() && frames.times.size() == frames.poses.size());
    Clip clip{like.name, {}, like.source, like.events, like.floats};
    const auto animated = [&](const TrackKind& kind) {
        return std::ranges::any_of(like.tracks, [&](const Track& track) {
            return track.path == kind.path && track.target == kind.target && track.width == kind.width;
        });
    };
    std::vector<TrackKind> kinds;
    for (size_t j = 0; j < body.rest.local.size(); ++j)
        for (const auto& [path, width] :
             {std::pair{TrackPath::translation, 3}, {TrackPath::rotation, 4}, {TrackPath::scale, 3}})
            kinds.push_back({path, static_cast<int32_t>(j), width});
    for (const Track& track : like.tracks)
        if (track.path == TrackPath::morphs) kinds.push_back({track.path, track.target, track.width});
    bool lasts = false;  // some track has a key at the end
    for (const TrackKind& kind : kinds) {
        Track track = make_track(frames, kind);
        const bool constant = is_constant(track);
        if ((constant || !differs(track, body.rest, kind)) && !animated(kind)) {
            if (!differs(track, body.rest, kind)) continue;
        }
        if (constant && frames.times.size() > 1) {
            track.times.resize(1);
            track.values.resize(static_cast<size_t>(kind.width));
        }
        lasts |= track.times.size() > 1;
        clip.tracks.push_back(std::move(track));
    }
    if (!lasts && !clip.tracks.empty() && frames.times.back() > frames.times.front()) {
        Track& first = clip.tracks.front();
        first.times.push_back(frames.times.back());
        first.values.insert(first.values.end(), first.values.begin(), first.values.begin() + first.width);
    }
    return clip;
}

int32_t find_carrier(const Clip& clip, const ClipBody& body) {
    const std::vector<int32_t>& parents = body.skeleton.parents();
    std::vector<int32_t> below(parents.size(), 1);
    for (size_t j = parents.size(); j-- > 0;)
        if (parents[j] >= 0) below[static_cast<size_t>(parents[j])] += below[j];
    int32_t carrier = -1, animated = std::numeric_limits<int32_t>::max();
    for (const Track& track : clip.tracks) {
        if (track.path == TrackPath::morphs) continue;
        animated = std::min(animated, track.target);
        if (track.path != TrackPath::translation || !varies(track)) continue;
        const auto size_of = [&](int32_t joint) { return joint < 0 ? 0 : below[static_cast<size_t>(joint)]; };
        if (size_of(track.target) > size_of(carrier) ||
            (size_of(track.target) == size_of(carrier) && track.target < carrier))
            carrier = track.target;
    }
    if (carrier >= 0) return carrier;
    return animated < static_cast<int32_t>(parents.size()) ? animated : 0;
}

std::vector<int32_t> find_carriers(const Clip& clip, const ClipBody& body) {
    const int32_t carrier = find_carrier(clip, body);
    std::vector<int32_t> carriers = {carrier};
    const std::vector<int32_t>& parents = body.skeleton.parents();
    std::vector<char> moved(parents.size(), 0);
    for (const Track& track : clip.tracks)
        if (track.path == TrackPath::translation && varies(track)) moved[static_cast<size_t>(track.target)] = 1;
    // Only the topmost of each tree, and nothing above or below the carrier.
    std::vector<char> above(parents.size(), 0);
    for (int32_t j = carrier; j >= 0; j = parents[static_cast<size_t>(j)]) above[static_cast<size_t>(j)] = 1;
    std::vector<char> hangs(parents.size(), 0);
    std::vector<int32_t> beside;
    hangs[static_cast<size_t>(carrier)] = 1;
    for (size_t j = 0; j < parents.size(); ++j) {
        if (parents[j] >= 0 && hangs[static_cast<size_t>(parents[j])]) hangs[j] = 1;
        if (hangs[j] || above[j] || !moved[j]) continue;
        beside.push_back(static_cast<int32_t>(j));
        hangs[j] = 1;
    }
    if (beside.empty()) return carriers;
    const TravelPaths paths = trace_travel(clip, body, carrier, beside);
    for (size_t k = 0; k < beside.size(); ++k)
        if (paths.strayed[k] <= most_strayed * paths.travelled) carriers.push_back(beside[k]);
    return carriers;
}

}  // namespace sinew
