#include "key_pose.h"

#include <algorithm>
#include <array>

namespace sinew::web {
namespace {

// Keys nearer than this are one: half a frame at 1000 frames a second.
constexpr float same_time = 0.0005f;
// A pose differs where a number does by more than rounding.
constexpr float rounding = 1e-5f;

struct Part {
    TrackPath path;
    int32_t width;
    std::array<float, 4> value, shown;
};

std::array<float, 4> numbers(const Vec3& v) {
    return {v.x(), v.y(), v.z(), 0.0f};
}
std::array<float, 4> numbers(const Quat& q) {
    return {q.x(), q.y(), q.z(), q.w()};
}

bool differs(const Part& part) {
    float same = 0.0f, opposite = 0.0f;
    for (size_t i = 0; i < static_cast<size_t>(part.width); ++i) {
        same = std::max(same, std::abs(part.value[i] - part.shown[i]));
        opposite = std::max(opposite, std::abs(part.value[i] + part.shown[i]));
    }
    // q and −q are one rotation.
    return (part.path == TrackPath::rotation ? std::min(same, opposite) : same) > rounding;
}

// The value group of a new key in a cubic track: level slopes, or those of the neighbours' chord.
void insert_key(const Part& part, float time, Track& track) {
    const auto width = static_cast<size_t>(part.width), per_key = track.values_per_key();
    const size_t place =
        static_cast<size_t>(std::ranges::lower_bound(track.times, time - same_time) - track.times.begin());
    const bool replaces = place < track.times.size() && std::abs(track.times[place] - time) <= same_time;
    if (!replaces) {
        track.times.insert(track.times.begin() + static_cast<std::ptrdiff_t>(place), time);
        track.values.insert(track.values.begin() + static_cast<std::ptrdiff_t>(place * per_key), per_key, 0.0f);
    }
    const size_t middle = track.interpolation == Interpolation::cubic ? width : 0;
    float* value = &track.values[place * per_key + middle];
    // Of q and −q the one nearer to the key before, so that the way between them is the short one.
    float sign = 1.0f;
    if (part.path == TrackPath::rotation && track.times.size() > 1) {
        const size_t other = place > 0 ? place - 1 : place + 1;
        float dot = 0.0f;
        for (size_t i = 0; i < width; ++i) dot += part.value[i] * track.values[other * per_key + middle + i];
        if (dot < 0.0f) sign = -1.0f;
    }
    for (size_t i = 0; i < width; ++i) value[i] = sign * part.value[i];
    if (middle == 0 || replaces || place == 0 || place + 1 >= track.times.size()) return;
    const float span = track.times[place + 1] - track.times[place - 1];
    for (size_t i = 0; i < width; ++i) {
        const float slope =
            (track.values[(place + 1) * per_key + middle + i] - track.values[(place - 1) * per_key + middle + i]) /
            span;
        track.values[place * per_key + i] = track.values[place * per_key + 2 * width + i] = slope;
    }
}

Track new_track(const Part& part, int32_t joint, float time) {
    Track track{joint, part.path, Interpolation::linear, part.width, {0.0f}, {}};
    // Up to the key the joint goes on from what was shown.
    const std::array<float, 4>& first = time > same_time ? part.shown : part.value;
    track.values.assign(first.begin(), first.begin() + part.width);
    return track;
}

}  // namespace

int32_t key_pose(const Character& character, std::span<const Transform> pose, std::span<const char> wanted, float time,
                 Clip& clip) {
    const Pose shown = pose_at(character, &clip, time);
    time = std::max(time, 0.0f);
    int32_t keys = 0;
    for (size_t j = 0; j < pose.size(); ++j) {
        if (!wanted[j]) continue;
        const auto joint = static_cast<int32_t>(j);
        const Transform &now = pose[j], &before = shown.local[j];
        for (const Part& part : {Part{TrackPath::translation, 3, numbers(now.translation), numbers(before.translation)},
                                 Part{TrackPath::rotation, 4, numbers(now.rotation), numbers(before.rotation)},
                                 Part{TrackPath::scale, 3, numbers(now.scale), numbers(before.scale)}}) {
            const auto own = std::ranges::find_if(
                clip.tracks, [&](const Track& track) { return track.target == joint && track.path == part.path; });
            const bool has_track = own != clip.tracks.end();
            if (!differs(part) && !(has_track && part.path == TrackPath::rotation)) continue;
            Track& track = has_track ? *own : clip.tracks.emplace_back(new_track(part, joint, time));
            insert_key(part, time, track);
            ++keys;
        }
    }
    return keys;
}

}  // namespace sinew::web
