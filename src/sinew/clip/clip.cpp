#include <sinew/clip/clip.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

int32_t expected_width(TrackPath path) {
    switch (path) {
        case TrackPath::rotation:
            return 4;
        case TrackPath::translation:
        case TrackPath::scale:
            return 3;
        case TrackPath::morphs:
            return 0;
    }
    return 0;
}

// Empty when the track is sound, else what is wrong with it.
std::string problem_of(const Track& track, size_t joint_count, size_t morph_count) {
    const int32_t width = expected_width(track.path);
    if (width != 0 ? track.width != width : track.width < 1) return "has the wrong number of values per key";
    const size_t span = track.path == TrackPath::morphs ? static_cast<size_t>(track.width) : 1;
    const size_t targets = track.path == TrackPath::morphs ? morph_count : joint_count;
    if (track.target < 0 || static_cast<size_t>(track.target) + span > targets)
        return "moves something that does not exist";
    if (track.times.empty()) return "has no keys";
    if (track.values.size() != track.times.size() * track.values_per_key())
        return "has a number of values that does not match its keys";
    for (size_t k = 0; k < track.times.size(); ++k) {
        if (!std::isfinite(track.times[k])) return "has a time that is not a number";
        if (k > 0 && !(track.times[k - 1] < track.times[k])) return "has times that do not increase";
    }
    const auto finite = [](float value) { return std::isfinite(value); };
    if (!std::all_of(track.values.begin(), track.values.end(), finite)) return "has a value that is not a number";
    return {};
}

std::string problem_of(const FloatTrack& track) {
    if (track.times.empty()) return "has no keys";
    if (track.values.size() != track.times.size()) return "has a number of values that does not match its keys";
    for (size_t k = 0; k < track.times.size(); ++k) {
        if (!std::isfinite(track.times[k]) || !std::isfinite(track.values[k])) return "has a key that is not a number";
        if (k > 0 && !(track.times[k - 1] < track.times[k])) return "has times that do not increase";
    }
    return {};
}

Result<void> validate_marks(const Clip& clip) {
    for (const FloatTrack& track : clip.floats) {
        const std::string problem = problem_of(track);
        if (!problem.empty())
            return fail(ErrorCode::invalid_data,
                        fmt::format("the number \"{}\" of clip \"{}\" {}", track.name, clip.name, problem), track.name);
    }
    for (size_t i = 0; i < clip.events.size(); ++i) {
        const float time = clip.events[i].time;
        const std::string where = fmt::format("event {}", i);
        if (!std::isfinite(time))
            return fail(ErrorCode::invalid_data,
                        fmt::format("{} of clip \"{}\" has a time that is not a number", where, clip.name), where);
        if (i > 0 && time < clip.events[i - 1].time)
            return fail(ErrorCode::invalid_data,
                        fmt::format("{} of clip \"{}\" comes before the one ahead of it", where, clip.name), where);
    }
    return {};
}

}  // namespace

float duration(const Clip& clip) {
    float last = 0.0f;
    for (const Track& track : clip.tracks) {
        if (!track.times.empty()) last = std::max(last, track.times.back());
    }
    return last;
}

Result<void> validate(const Clip& clip, size_t joint_count, size_t morph_count) {
    for (size_t i = 0; i < clip.tracks.size(); ++i) {
        const std::string problem = problem_of(clip.tracks[i], joint_count, morph_count);
        if (!problem.empty()) {
            return fail(ErrorCode::invalid_data, fmt::format("track {} of clip \"{}\" {}", i, clip.name, problem),
                        fmt::format("track {}", i));
        }
    }
    return validate_marks(clip);
}

float sample_float(const FloatTrack& track, float time) {
    if (track.times.empty()) return 0.0f;
    const auto after = std::upper_bound(track.times.begin(), track.times.end(), time);
    if (after == track.times.begin()) return track.values.front();
    if (after == track.times.end()) return track.values.back();
    const auto k = static_cast<size_t>(after - track.times.begin());
    const double t0 = track.times[k - 1], t1 = track.times[k];
    const double u = (static_cast<double>(time) - t0) / (t1 - t0);
    return static_cast<float>((1.0 - u) * track.values[k - 1] + u * track.values[k]);
}

std::span<const ClipEvent> events_between(const Clip& clip, float from, float to) {
    const auto before = [](const ClipEvent& event, float time) { return event.time < time; };
    const auto first = std::lower_bound(clip.events.begin(), clip.events.end(), from, before);
    const auto end = std::lower_bound(first, clip.events.end(), std::max(from, to), before);
    return {first, end};
}

}  // namespace sinew
