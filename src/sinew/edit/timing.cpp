#include <sinew/edit/timing.h>

#include <sinew/clip/clip.h>
#include <sinew/core/check.h>
#include <sinew/curve/ease.h>
#include <sinew/edit/marks.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

// Value and slope of a cubic track between keys k and k + 1, as a key of its own: in-tangent, value, out-tangent.
void append_cubic_key(const Track& track, size_t k, float time, std::vector<float>& out) {
    const auto w = static_cast<size_t>(track.width);
    const float* a = &track.values[k * 3 * w];
    const float* b = a + 3 * w;
    const double length = static_cast<double>(track.times[k + 1]) - track.times[k];
    const double u = (static_cast<double>(time) - track.times[k]) / length;
    std::vector<float> value, slope;
    for (size_t c = 0; c < w; ++c) {
        const double m0 = length * a[2 * w + c], m1 = length * b[c];
        value.push_back(static_cast<float>(hermite<double>(a[w + c], m0, b[w + c], m1, u)));
        slope.push_back(static_cast<float>(hermite_slope<double>(a[w + c], m0, b[w + c], m1, u) / length));
    }
    for (const auto* part : {&slope, &value, &slope}) out.insert(out.end(), part->begin(), part->end());
}

// The track at a time, as a key.
void append_key_at(const Track& track, float time, std::vector<float>& out) {
    const auto w = static_cast<size_t>(track.width);
    const bool within = time > track.times.front() && time < track.times.back();
    if (track.interpolation == Interpolation::cubic && within) {
        const auto after = std::upper_bound(track.times.begin(), track.times.end(), time);
        return append_cubic_key(track, static_cast<size_t>(after - track.times.begin()) - 1, time, out);
    }
    std::vector<float> value(w);
    sample_track(track, time, value.data());
    if (track.interpolation == Interpolation::cubic) out.insert(out.end(), w, 0.0f);
    out.insert(out.end(), value.begin(), value.end());
    if (track.interpolation == Interpolation::cubic) out.insert(out.end(), w, 0.0f);
}

// Keys whose times a float cannot tell apart any more: the later ones go.
void drop_equal_times(Track& track) {
    const size_t stride = track.values_per_key();
    size_t kept = 0;
    for (size_t k = 0; k < track.times.size(); ++k) {
        if (kept > 0 && !(track.times[kept - 1] < track.times[k])) continue;
        track.times[kept] = track.times[k];
        std::copy_n(track.values.begin() + static_cast<std::ptrdiff_t>(k * stride), stride,
                    track.values.begin() + static_cast<std::ptrdiff_t>(kept * stride));
        ++kept;
    }
    track.times.resize(kept);
    track.values.resize(kept * stride);
}

// The last key once more, at `end`, and level until then: what waited for its first key waits after its last one when
// it is played backwards.
void hold_until(float end, Track& track) {
    const size_t stride = track.values_per_key(), last = track.values.size() - stride;
    const auto w = static_cast<size_t>(track.width);
    if (track.interpolation == Interpolation::cubic)
        std::fill_n(track.values.begin() + static_cast<std::ptrdiff_t>(last + 2 * w), w, 0.0f);
    std::vector<float> again(track.values.begin() + static_cast<std::ptrdiff_t>(last), track.values.end());
    if (track.interpolation == Interpolation::cubic) std::fill_n(again.begin(), w, 0.0f);
    track.times.push_back(end);
    track.values.insert(track.values.end(), again.begin(), again.end());
}

Track trim_track(const Track& track, float from, float to) {
    Track cut = track;
    cut.times.clear();
    cut.values.clear();
    const size_t stride = track.values_per_key();
    const auto add = [&](float time, size_t key) {
        cut.times.push_back(time - from);
        const auto begin = track.values.begin() + static_cast<std::ptrdiff_t>(key * stride);
        cut.values.insert(cut.values.end(), begin, begin + static_cast<std::ptrdiff_t>(stride));
    };
    const auto first =
        static_cast<size_t>(std::lower_bound(track.times.begin(), track.times.end(), from) - track.times.begin());
    // A track that begins later holds its first value until then, as before.
    const bool begun = track.times.front() < from;
    if (begun && (first == track.times.size() || track.times[first] > from)) {
        cut.times.push_back(0.0f);
        append_key_at(track, from, cut.values);
    }
    size_t k = first;
    for (; k < track.times.size() && track.times[k] <= to; ++k)
        if (cut.times.empty() || track.times[k] - from > cut.times.back()) add(track.times[k], k);
    if (cut.times.empty()) {
        cut.times.push_back(0.0f);
        append_key_at(track, from, cut.values);
    } else if (k < track.times.size() && to - from > cut.times.back()) {
        cut.times.push_back(to - from);
        append_key_at(track, to, cut.values);
    }
    return cut;
}

}  // namespace

Result<Clip> trim(const Clip& clip, float from, float to) {
    const float end = duration(clip);
    if (!(from >= 0.0f) || !(to > from) || from >= end)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("there is nothing from {:g} s to {:g} s; the clip \"{}\" lasts {:g} s", from, to,
                                clip.name, end));
    Clip cut{clip.name, {}, clip.source, clip.events, clip.floats};
    for (const Track& track : clip.tracks) cut.tracks.push_back(trim_track(track, from, std::min(to, end)));
    cut_marks(cut, from, std::min(to, end));
    return cut;
}

Clip change_speed(const Clip& clip, float speed) {
    SINEW_CHECK(speed > 0.0f);
    Clip made = clip;
    for (Track& track : made.tracks) {
        for (float& time : track.times) time /= speed;
        drop_equal_times(track);
        if (track.interpolation != Interpolation::cubic) continue;
        const auto w = static_cast<size_t>(track.width);
        for (size_t i = 0; i < track.values.size(); ++i)
            if (i / w % 3 != 1) track.values[i] *= speed;
    }
    move_marks(made, [&](double time) { return time / speed; });
    return made;
}

Clip reverse(const Clip& clip) {
    const float end = duration(clip);
    Clip made{clip.name, {}, clip.source, clip.events, clip.floats};
    for (const Track& track : clip.tracks) {
        Track back = track;
        const size_t n = track.times.size(), stride = track.values_per_key();
        const auto w = static_cast<size_t>(track.width);
        const bool cubic = track.interpolation == Interpolation::cubic,
                   step = track.interpolation == Interpolation::step;
        for (size_t k = 0; k < n; ++k) {
            const size_t from = n - 1 - k;
            // A held value lasts until the next key: reversed, it begins where it ended.
            back.times[k] = step && k > 0 ? end - track.times[from + 1] : end - track.times[from];
            if (step && k == 0) back.times[k] = std::min(end - track.times[from], 0.0f);
            for (size_t c = 0; c < stride; ++c) {
                const size_t group = c / w;  // in-tangent, value, out-tangent: the tangents change places and sign
                const size_t source = cubic ? (2 - group) * w + c % w : c;
                const float value = track.values[from * stride + source];
                back.values[k * stride + c] = cubic && group != 1 ? -value : value;
            }
        }
        if (step && n > 1 && !(back.times[0] < back.times[1])) {  // the last value had no length
            back.times.erase(back.times.begin());
            back.values.erase(back.values.begin(), back.values.begin() + static_cast<std::ptrdiff_t>(stride));
        }
        if (track.times.front() > 0.0f && back.times.back() < end) hold_until(end, back);
        made.tracks.push_back(std::move(back));
    }
    move_marks(made, [&](double time) { return std::max(end - time, 0.0); });
    return made;
}

Clip resample(const Clip& clip, const ClipBody& body, double fps) {
    return frames_to_clip(sample_frames(clip, body, fps), body, clip);
}

Clip warp_time(const Clip& clip, const ClipBody& body, const Curve<double>& warp) {
    ClipFrames frames = sample_frames(clip, body, clip_rate(clip));
    for (size_t f = 0; f < frames.times.size(); ++f)
        sample(clip, static_cast<float>(evaluate(warp, frames.times[f])), frames.poses[f]);
    Clip made = frames_to_clip(frames, body, clip);
    move_marks(made, [&](double time) { return invert_warp(warp, time); });
    return made;
}

}  // namespace sinew
