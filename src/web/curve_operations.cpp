// Curves: a joint's track as channels of keys with slopes, for an editor, and back.
#include <sinew/curve/curve.h>
#include <sinew/curve/euler.h>
#include <sinew/curve/fit.h>
#include <sinew/curve/tangents.h>
#include <sinew/edit/frames.h>
#include <algorithm>
#include <array>
#include <cmath>

#include "choices.h"

namespace sinew::web {
namespace {

constexpr double degrees_per_radian = 180.0 / 3.14159265358979323846;
constexpr EulerOrder order = {{2, 1, 0}};  // about x first, then y, then z, as `sinew pose --rotate` has it

Result<TrackPath> path_of(Call& call) {
    std::string path;
    call.args.need("path", path);
    SINEW_TRY_VOID(call.args.check());
    if (path == "translation") return TrackPath::translation;
    if (path == "rotation") return TrackPath::rotation;
    if (path == "scale") return TrackPath::scale;
    return fail(ErrorCode::invalid_argument, "is not translation, rotation or scale", "path");
}

struct Place {
    size_t clip = 0;
    int32_t joint = 0;
    TrackPath path = TrackPath::rotation;
};

Result<Place> place_of(Call& call, const Character& character) {
    std::string joint;
    call.args.need("joint", joint);
    SINEW_TRY(const TrackPath path, path_of(call));
    SINEW_TRY(const Clip* clip, clip_of(call, character));
    if (!clip) return fail(ErrorCode::invalid_argument, "the argument clip is missing");
    SINEW_TRY(const int32_t number, joint_of(character, joint));
    return Place{static_cast<size_t>(clip - character.clips.data()), number, path};
}

const Track* find_track(const Clip& clip, const Place& place) {
    const auto own = std::ranges::find_if(
        clip.tracks, [&](const Track& track) { return track.target == place.joint && track.path == place.path; });
    return own == clip.tracks.end() ? nullptr : &*own;
}

// Three numbers at each time: of a rotation the angles in degrees, in the order x, y, z, without jumps.
std::vector<Vec3d> values_of(const Track& track, std::span<const double> times) {
    std::vector<Vec3d> values;
    std::vector<Quatd> rotations;
    std::array<float, 4> v{};
    for (double time : times) {
        sample_track(track, static_cast<float>(time), v.data());
        if (track.path == TrackPath::rotation)
            rotations.push_back(Quatd(v[3], v[0], v[1], v[2]));
        else
            values.emplace_back(v[0], v[1], v[2]);
    }
    for (const Vec3d& zyx : to_euler_channels(rotations, order))
        values.push_back(degrees_per_radian * Vec3d(zyx[2], zyx[1], zyx[0]));
    return values;
}

// A channel with a key where the track has one; slopes as the curve has them there.
Curve<double> keyed(const Track& track, std::span<const double> times, std::span<const double> values) {
    Curve<double> curve = make_curve<double>(times, values);
    if (track.interpolation == Interpolation::step) {
        for (auto& key : curve.keys) key.between = Between::step;
    } else if (times.size() > 1) {
        set_monotone_slopes(curve);
    }
    return curve;
}

Json channel_json(Call& call, const Curve<double>& curve) {
    std::vector<float> times, values, in, out;
    for (const Keyframe<double>& key : curve.keys) {
        times.push_back(static_cast<float>(key.time));
        values.push_back(static_cast<float>(key.value));
        in.push_back(static_cast<float>(key.in_slope));
        out.push_back(static_cast<float>(key.out_slope));
    }
    return {
        {"times", call.array(times)}, {"values", call.array(values)}, {"in", call.array(in)}, {"out", call.array(out)}};
}

Result<Json> channels(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    const Character& character = document->character;
    SINEW_TRY(const Place place, place_of(call, character));
    double tolerance = 0.0;
    call.args.read("tolerance", tolerance);
    SINEW_TRY_VOID(call.args.check());
    Json list = Json::array();
    const Track* track = find_track(character.clips[place.clip], place);
    if (!track) return Json{{"channels", list}};
    const std::vector<double> times(track->times.begin(), track->times.end());
    const std::vector<Vec3d> values = values_of(*track, times);
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> one;
        for (const Vec3d& value : values) one.push_back(value[axis]);
        const Curve<double> curve =
            tolerance > 0.0 ? fit_curve<double>(times, one, tolerance).curve : keyed(*track, times, one);
        list.push_back(channel_json(call, curve));
    }
    return Json{{"channels", list}};
}

Result<std::array<Curve<double>, 3>> curves_of(Call& call) {
    std::array<Curve<double>, 3> curves;
    size_t count = 0;
    call.args.each("channels", [&](Arguments& args) {
        std::vector<float> times, values, in, out;
        args.need("times", times);
        args.need("values", values);
        args.read("in", in);
        args.read("out", out);
        const auto fits = [&](const std::vector<float>& slopes) {
            return slopes.empty() || slopes.size() == times.size();
        };
        if (times.size() != values.size() || !fits(in) || !fits(out))
            return args.complain("times", "has another length than the other arrays");
        if (count >= curves.size()) return args.complain("times", "is that of a fourth channel");
        for (size_t i = 0; i < times.size(); ++i) {
            Keyframe<double> key{.time = times[i], .value = values[i]};
            key.in_slope = in.empty() ? 0.0 : in[i];
            key.out_slope = out.empty() ? 0.0 : out[i];
            curves[count].keys.push_back(key);
        }
        ++count;
    });
    SINEW_TRY_VOID(call.args.check());
    if (count != curves.size()) return fail(ErrorCode::invalid_argument, "there are not three channels", "channels");
    for (const Curve<double>& curve : curves) SINEW_TRY_VOID(validate(curve));
    return curves;
}

// Times at which the curves become keys: those of all their keys, and for rotations also every frame between, because
// angles that follow cubics are no cubic of a quaternion.
std::vector<double> key_times(const std::array<Curve<double>, 3>& curves, bool dense, double fps) {
    std::vector<double> times;
    for (const Curve<double>& curve : curves)
        for (const auto& key : curve.keys) times.push_back(key.time);
    std::ranges::sort(times);
    if (dense) {
        const double first = times.front(), last = times.back();
        const auto frames = static_cast<int64_t>(std::floor((last - first) * fps));
        for (int64_t f = 1; f <= frames; ++f) times.push_back(first + static_cast<double>(f) / fps);
        std::ranges::sort(times);
    }
    constexpr double same_time = 1e-4;  // nearer keys are one
    const auto end = std::unique(times.begin(), times.end(), [](double a, double b) { return b - a < same_time; });
    times.erase(end, times.end());
    return times;
}

Track track_of(const std::array<Curve<double>, 3>& curves, const Place& place, double fps) {
    const bool rotation = place.path == TrackPath::rotation;
    Track track{.target = place.joint,
                .path = place.path,
                .interpolation = rotation ? Interpolation::linear : Interpolation::cubic,
                .width = rotation ? 4 : 3};
    Quatd before = Quatd::Identity();
    for (const double time : key_times(curves, rotation, fps)) {
        Vec3d value, slope_in, slope_out;
        constexpr double beside = 1e-6;
        for (int axis = 0; axis < 3; ++axis) {
            const Curve<double>& curve = curves[static_cast<size_t>(axis)];
            value[axis] = evaluate(curve, time);
            slope_in[axis] = slope_at(curve, time - beside);
            slope_out[axis] = slope_at(curve, time + beside);
        }
        track.times.push_back(static_cast<float>(time));
        if (!rotation) {
            for (const Vec3d& group : {slope_in, value, slope_out})
                for (int axis = 0; axis < 3; ++axis) track.values.push_back(static_cast<float>(group[axis]));
            continue;
        }
        Quatd turn = from_euler(Vec3d(value[2], value[1], value[0]) / degrees_per_radian, order);
        if (turn.dot(before) < 0.0) turn.coeffs() = -turn.coeffs();
        before = turn;
        for (int i = 0; i < 4; ++i) track.values.push_back(static_cast<float>(turn.coeffs()[i]));
    }
    return track;
}

Result<Json> set_channels(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    Document changed = *document;
    SINEW_TRY(const Place place, place_of(call, changed.character));
    SINEW_TRY(const auto curves, curves_of(call));
    double fps = 30.0;
    call.args.read("fps", fps);
    SINEW_TRY_VOID(call.args.check());
    if (!(fps >= 1.0 && fps <= 1000.0))
        return fail(ErrorCode::invalid_argument, "the rate is not between 1 and 1000", "fps");
    Clip& clip = changed.character.clips[place.clip];
    Track track = track_of(curves, place, fps);
    if (const Track* own = find_track(clip, place))
        clip.tracks[static_cast<size_t>(own - clip.tracks.data())] = std::move(track);
    else
        clip.tracks.push_back(std::move(track));
    SINEW_TRY_VOID(validate(clip, changed.character.skeleton.size(), morph_count(changed.character)));
    return finish(call, std::move(changed));
}

Result<Json> spline(Call& call) {
    std::vector<float> at, values;
    int32_t samples = 2;
    call.args.need("at", at);
    call.args.need("values", values);
    call.args.need("samples", samples);
    SINEW_TRY_VOID(call.args.check());
    if (samples < 2 || samples > 1000) return fail(ErrorCode::invalid_argument, "is not between 2 and 1000", "samples");
    if (at.size() != values.size() || at.size() < 2)
        return fail(ErrorCode::invalid_argument, "has not a value for each of at least two places", "at");
    const std::vector<double> places(at.begin(), at.end()), knots(values.begin(), values.end());
    Curve<double> curve = make_curve<double>(places, knots);
    SINEW_TRY_VOID(validate(curve));
    set_monotone_slopes(curve);
    std::vector<float> drawn;
    for (int32_t i = 0; i < samples; ++i) {
        const double share = static_cast<double>(i) / (samples - 1);
        drawn.push_back(static_cast<float>(evaluate(curve, places.front() + (places.back() - places.front()) * share)));
    }
    return Json{{"values", call.array(drawn)}};
}

}  // namespace

void add_curve_operations(Operations& operations) {
    operations.push_back({"channels", {"id", "clip", "joint", "path", "tolerance"}, channels});
    operations.push_back({"spline", {"at", "values", "samples"}, spline});
    operations.push_back({"set_channels", {"id", "clip", "joint", "path", "channels", "fps"}, set_channels});
}

}  // namespace sinew::web
