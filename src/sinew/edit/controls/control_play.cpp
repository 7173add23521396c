#include <sinew/curve/curve.h>
#include <sinew/curve/expression.h>
#include <sinew/curve/tangents.h>
#include <sinew/edit/controls/controls.h>
#include <sinew/edit/frames.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace sinew {
namespace {

std::optional<double> whole_number(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    double value = 0.0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

// "0:0,0.4:1": nothing when it is no such list.
std::optional<std::vector<std::pair<double, double>>> key_list(std::string_view text) {
    std::vector<std::pair<double, double>> keys;
    while (!text.empty()) {
        const size_t comma = std::min(text.find(','), text.size());
        const std::string_view key = text.substr(0, comma);
        const size_t colon = key.find(':');
        if (colon == std::string_view::npos) return std::nullopt;
        const auto time = whole_number(key.substr(0, colon)), value = whole_number(key.substr(colon + 1));
        if (!time || !value) return std::nullopt;
        keys.emplace_back(*time, *value);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return keys;
}

// A control over time.
struct PlayedControl {
    size_t control = 0;
    Curve<double> curve;
    std::optional<Expression> formula;
    double at(double time) const { return formula ? formula->evaluate(std::vector{time}) : evaluate(curve, time); }
};

Result<PlayedControl> play_control(const ControlRig& rig, const ControlTrack& track) {
    PlayedControl played;
    SINEW_TRY(played.control, rig.find(track.control));
    if (!track.formula.empty()) {
        const std::vector<std::string> variables = {"t"};
        auto formula = Expression::parse(track.formula, variables);
        if (!formula)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("\"{}\" is no value of {}: {}; write a number, keys such as 0:0,0.5:1, or a "
                                    "formula of t",
                                    track.formula, track.control, formula.error().message));
        played.formula = std::move(*formula);
        return played;
    }
    for (const auto& [time, value] : track.keys) played.curve.keys.push_back({.time = time, .value = value});
    if (played.curve.keys.empty()) return fail(ErrorCode::invalid_argument, track.control + " has no value");
    if (const auto valid = validate(played.curve); !valid)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("the keys of {} are not in order of time; sort them", track.control));
    set_monotone_slopes(played.curve);
    return played;
}

struct Touched {
    std::vector<char> move, turn, size, morph;
};

Touched find_touched(const ClipFrames& before, const ClipFrames& after, const Pose& rest) {
    const size_t joints = rest.local.size(), morphs = rest.morphs.size();
    Touched touched{std::vector<char>(joints, 0), std::vector<char>(joints, 0), std::vector<char>(joints, 0),
                    std::vector<char>(morphs, 0)};
    for (size_t f = 0; f < before.poses.size(); ++f) {
        for (size_t j = 0; j < joints; ++j) {
            const Transform &a = before.poses[f].local[j], &b = after.poses[f].local[j];
            touched.move[j] |= a.translation != b.translation;
            touched.turn[j] |= a.rotation.coeffs() != b.rotation.coeffs();
            touched.size[j] |= a.scale != b.scale;
        }
        for (size_t m = 0; m < morphs; ++m) touched.morph[m] |= before.poses[f].morphs[m] != after.poses[f].morphs[m];
    }
    return touched;
}

bool is_touched(const Touched& touched, const Track& track) {
    const auto target = static_cast<size_t>(track.target);
    switch (track.path) {
        case TrackPath::translation:
            return touched.move[target] != 0;
        case TrackPath::rotation:
            return touched.turn[target] != 0;
        case TrackPath::scale:
            return touched.size[target] != 0;
        case TrackPath::morphs:
            return std::any_of(touched.morph.begin() + track.target, touched.morph.begin() + track.target + track.width,
                               [](char c) { return c != 0; });
    }
    return false;
}

// A clip as long as the last key of a control, or a second where all are constant.
double length_for(std::span<const ControlTrack> controls) {
    double last = 0.0;
    for (const ControlTrack& track : controls)
        if (!track.keys.empty()) last = std::max(last, track.keys.back().first);
    return last > 0.0 ? last : 1.0;
}

ClipFrames still_frames(const Clip& clip, const ClipBody& body, double length) {
    constexpr double fps = 30.0;
    ClipFrames frames;
    const auto count = static_cast<size_t>(std::ceil(length * fps - 1e-6));
    Pose pose = body.rest;
    sample(clip, 0.0f, pose);
    for (size_t f = 0; f <= count; ++f)
        frames.times.push_back(static_cast<float>(std::min(static_cast<double>(f) / fps, length)));
    frames.poses.assign(frames.times.size(), pose);
    return frames;
}

}  // namespace

Result<ControlTrack> parse_control_track(std::string_view name, std::string_view value) {
    ControlTrack track{std::string(name), {}, {}};
    if (name.empty() || value.empty())
        return fail(ErrorCode::invalid_argument, "a control needs a name and a value; write smile=0.5");
    if (const auto number = whole_number(value))
        track.keys = {{0.0, *number}};
    else if (const auto keys = key_list(value))
        track.keys = *keys;
    else
        track.formula = value;
    return track;
}

Result<Clip> ControlRig::play(const Clip& clip, std::span<const ControlTrack> controls,
                              std::span<const std::pair<std::string, double>> poses) const {
    std::vector<PlayedControl> played;
    for (const ControlTrack& track : controls) {
        SINEW_TRY(PlayedControl one, play_control(*this, track));
        played.push_back(std::move(one));
    }
    const ClipBody body_of{body().skeleton, body().rest};
    const bool still = !(duration(clip) > 0.0f);
    const ClipFrames before =
        still ? still_frames(clip, body_of, length_for(controls)) : sample_frames(clip, body_of, clip_rate(clip));
    ClipFrames after = before;
    std::vector<double> values = rest_values();
    for (size_t f = 0; f < after.times.size(); ++f) {
        for (const auto& [pose, weight] : poses) SINEW_TRY_VOID(apply_pose(pose, weight, after.poses[f]));
        for (const PlayedControl& one : played) values[one.control] = one.at(after.times[f]);
        apply(values, after.times[f], after.poses[f]);
    }
    const Touched touched = find_touched(before, after, body_of.rest);
    Clip like = clip;
    std::erase_if(like.tracks, [](const Track& track) { return track.path == TrackPath::morphs; });
    std::vector<std::pair<int32_t, int32_t>> ranges = body().morph_ranges;
    if (ranges.empty() && !body().morphs.empty()) ranges = {{0, static_cast<int32_t>(body().morphs.size())}};
    for (const auto& [first, count] : ranges)
        like.tracks.push_back({first, TrackPath::morphs, Interpolation::linear, count, {0.0f}, {}});
    const Clip made = frames_to_clip(after, body_of, like);
    Clip result = clip;
    std::erase_if(result.tracks, [&](const Track& track) { return is_touched(touched, track); });
    for (const Track& track : made.tracks)
        if (is_touched(touched, track)) result.tracks.push_back(track);
    // A clip of one pose lasts all the same.
    if (still && !result.tracks.empty() && !(duration(result) > 0.0f)) {
        Track& first = result.tracks.front();
        first.times.push_back(after.times.back());
        const std::vector<float> last(first.values.end() - static_cast<std::ptrdiff_t>(first.values_per_key()),
                                      first.values.end());
        first.values.insert(first.values.end(), last.begin(), last.end());
    }
    return result;
}

}  // namespace sinew
