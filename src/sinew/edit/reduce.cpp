#include <sinew/edit/reduce.h>

#include <sinew/clip/clip.h>
#include <sinew/curve/fit.h>
#include <sinew/math/interpolate.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The largest turn of any joint from the key before to each key, radians.
std::vector<double> turns_between(const Clip& clip, const std::vector<float>& keys) {
    std::vector<double> turns(keys.size(), 0.0);
    for (const Track& track : clip.tracks) {
        if (track.path != TrackPath::rotation || track.interpolation == Interpolation::step) continue;
        Quat before, after;
        sample_track(track, track.times.front(), before.coeffs().data());
        for (size_t k = 1; k < track.times.size(); ++k, before = after) {
            sample_track(track, track.times[k], after.coeffs().data());
            const double turn = angle_between(before, after);
            auto at = std::ranges::upper_bound(keys, track.times[k - 1]);
            for (; at != keys.end() && *at <= track.times[k]; ++at) {
                double& most = turns[static_cast<size_t>(at - keys.begin())];
                most = std::max(most, turn);
            }
        }
    }
    return turns;
}

// The times at which clips are looked at while they are fitted: all keys and, where these are far apart, times between.
// Where tracks have keys at so many different times that this would be a multiple of what any of them has, even times
// instead.
std::vector<double> fitting_times(const Clip& clip) {
    constexpr double coarsest = 1.0 / 60.0;
    constexpr size_t most = 4;  // times the keys of the longest track
    std::vector<float> keys;
    size_t longest = 0;
    for (const Track& track : clip.tracks) {
        keys.insert(keys.end(), track.times.begin(), track.times.end());
        longest = std::max(longest, track.times.size());
    }
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    if (keys.size() > most * longest) {
        const double first = keys.front(), last = keys.back(), count = static_cast<double>(most * longest);
        keys.clear();
        for (size_t i = 0; i <= most * longest; ++i)
            keys.push_back(static_cast<float>(first + (last - first) * static_cast<double>(i) / count));
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    }
    // A cubic of quaternions turns evenly only by small angles: a jump is looked at in small steps.
    constexpr double evenly = 0.1;
    constexpr int most_steps = 32;
    const std::vector<double> turns = turns_between(clip, keys);
    std::vector<double> times;
    for (size_t k = 0; k < keys.size(); ++k) {
        const double from = k > 0 ? keys[k - 1] : keys[0], gap = keys[k] - from;
        const int steps = std::clamp(static_cast<int>(std::ceil(turns[k] / evenly)), 1, most_steps);
        const int parts = std::clamp(static_cast<int>(std::ceil(gap / coarsest - 1e-3)), steps, 1000);
        for (int p = 1; p < parts; ++p) {
            const auto between = static_cast<float>(from + gap * p / parts);
            if (between > times.back() && between < keys[k]) times.push_back(between);
        }
        times.push_back(keys[k]);
    }
    return times;
}

template <class Value>
Track track_from(const Track& like, const Curve<Value>& curve, Interpolation interpolation) {
    Track track{like.target, like.path, interpolation, like.width, {}, {}};
    const auto put = [&](const Value& value) {
        for (Eigen::Index c = 0; c < value.size(); ++c) track.values.push_back(static_cast<float>(value[c]));
    };
    for (const auto& key : curve.keys) {
        // Fitted quaternions are not quite unit, and glTF wants them so.
        const double length = like.path == TrackPath::rotation ? key.value.norm() : 1.0;
        track.times.push_back(static_cast<float>(key.time));
        if (interpolation == Interpolation::cubic) put(key.in_slope / length);
        put(key.value / length);
        if (interpolation == Interpolation::cubic) put(key.out_slope / length);
    }
    return track;
}

size_t floats_of(const Track& track) {
    return track.times.size() + track.values.size();
}

// The values with few keys, within the tolerance. One key where they are level. Cubic keys are larger than linear ones:
// what takes fewer bytes is taken. The track itself where nothing is gained.
template <class Value>
Track fewer_keys(const Track& track, const std::vector<double>& times, const std::vector<Value>& values,
                 const std::vector<double>& tolerances) {
    Value low = values.front(), high = low;
    for (const Value& v : values) low = low.cwiseMin(v), high = high.cwiseMax(v);
    const Value middle = 0.5 * (low + high);
    bool level = true;
    for (size_t i = 0; level && i < values.size(); ++i) level = (values[i] - middle).norm() <= tolerances[i];
    if (level) {
        Curve<Value> one;
        one.keys.resize(1);
        one.keys[0].time = track.times.front();
        one.keys[0].value = track.path == TrackPath::rotation ? Value(middle.normalized()) : middle;
        return track_from(track, one, Interpolation::linear);
    }
    const FitOptions free{.smooth = false, .free_values = true, .tolerances = tolerances};
    const FitOptions lines{.between = Between::linear, .tolerances = tolerances};
    const Track cubic = track_from(track, fit_curve<Value>(times, values, 0.0, free).curve, Interpolation::cubic);
    const Track linear = track_from(track, fit_curve<Value>(times, values, 0.0, lines).curve, Interpolation::linear);
    // A cubic key takes the place of three linear ones, or nearly; then fewer keys are the better ones.
    constexpr size_t worth = 2;
    const bool fewer = floats_of(cubic) < floats_of(linear) || worth * cubic.times.size() < linear.times.size();
    const Track& best = fewer ? cubic : linear;
    return best.times.size() <= track.times.size() ? best : track;
}

std::vector<Quatd> sampled_rotations(const Track& track, const std::vector<double>& times) {
    std::vector<Quatd> out;
    out.reserve(times.size());
    for (const double time : times) {
        Quat q;
        sample_track(track, static_cast<float>(time), q.coeffs().data());
        out.push_back(q.cast<double>());
    }
    return out;
}

void multiply_down(const Skeleton& skeleton, size_t joint, const std::vector<Quatd>& local,
                   std::vector<std::vector<Quatd>>& world) {
    const int32_t parent = skeleton.parents()[joint];
    world[joint] = local;
    if (parent < 0) return;
    for (size_t i = 0; i < local.size(); ++i) world[joint][i] = world[static_cast<size_t>(parent)][i] * local[i];
}

// What the clip is, worked out once for all rounds.
struct Reducing {
    const Clip& clip;
    const ClipBody& body;
    const ReduceOptions& options;
    std::vector<double> times;
    std::vector<const Track*> rotation;            // by joint; null: not animated
    std::vector<size_t> place;                     // the number of that track
    std::vector<std::vector<Quatd>> local, world;  // [joint][time]
    std::vector<double> bone;                      // how far the joints right below one are, and at least the shell

    Reducing(const Clip& reduced, const ClipBody& of, const ReduceOptions& with)
        : clip(reduced), body(of), options(with) {
        const size_t joints = of.rest.local.size();
        times = fitting_times(clip);
        rotation.assign(joints, nullptr);
        place.assign(joints, 0);
        for (size_t i = 0; i < clip.tracks.size(); ++i) {
            if (clip.tracks[i].path != TrackPath::rotation) continue;
            rotation[static_cast<size_t>(clip.tracks[i].target)] = &clip.tracks[i];
            place[static_cast<size_t>(clip.tracks[i].target)] = i;
        }
        local.resize(joints);
        world.resize(joints);
        bone.assign(joints, with.shell);
        for (size_t j = 0; j < joints; ++j) {
            local[j] = rotation[j] ? sampled_rotations(*rotation[j], times)
                                   : std::vector<Quatd>(times.size(), of.rest.local[j].rotation.cast<double>());
            multiply_down(of.skeleton, j, local[j], world);
            const int32_t parent = of.skeleton.parents()[j];
            if (parent < 0) continue;
            double& length = bone[static_cast<size_t>(parent)];
            length = std::max(length, static_cast<double>(of.rest.local[j].translation.norm()));
        }
    }
};

// How much of the bound each joint may use at each time, as it is learnt from round to round.
using Shares = std::vector<std::vector<double>>;

std::vector<double> tolerances_of(const std::vector<double>& shares, double per_share) {
    std::vector<double> tolerances;
    tolerances.reserve(shares.size());
    for (const double share : shares) tolerances.push_back(share * per_share);
    return tolerances;
}

// Closed loop: a joint is fitted to what brings it to its true rotation in the world, given how its parents came out.
// So their errors do not add up in it.
void reduce_rotations(const Reducing& r, const Shares& shares, Clip& made) {
    std::vector<std::vector<Quatd>> reduced(r.world.size());
    for (size_t j = 0; j < r.world.size(); ++j) {
        const int32_t parent = r.body.skeleton.parents()[j];
        if (!r.rotation[j] || r.rotation[j]->interpolation == Interpolation::step) {
            multiply_down(r.body.skeleton, j, r.local[j], reduced);
            continue;
        }
        std::vector<Eigen::Vector4d> wanted;
        wanted.reserve(r.times.size());
        for (size_t i = 0; i < r.times.size(); ++i) {
            Quatd q = r.world[j][i];
            if (parent >= 0) q = reduced[static_cast<size_t>(parent)][i].conjugate() * q;
            Eigen::Vector4d v = q.coeffs();
            if (!wanted.empty() && v.dot(wanted.back()) < 0.0) v *= -1.0;
            wanted.push_back(v);
        }
        // |q − q'| is half the angle between two rotations.
        const std::vector<double> tolerances = tolerances_of(shares[j], 0.5 * r.options.bound / r.bone[j]);
        Track& track = made.tracks[r.place[j]];
        track = fewer_keys(*r.rotation[j], r.times, wanted, tolerances);
        multiply_down(r.body.skeleton, j, sampled_rotations(track, r.times), reduced);
    }
}

void reduce_vectors(const Reducing& r, const Track& track, const Shares& shares, Track& made) {
    std::vector<Vec3d> values;
    for (const double time : r.times) {
        Vec3 value;
        sample_track(track, static_cast<float>(time), value.data());
        values.push_back(value.cast<double>());
    }
    const double far = track.path == TrackPath::scale ? r.bone[static_cast<size_t>(track.target)] : 1.0;
    const auto joint = static_cast<size_t>(track.target);
    made = fewer_keys(track, r.times, values, tolerances_of(shares[joint], r.options.bound / far));
}

Clip reduced_by(const Reducing& r, const Shares& shares) {
    Clip made = r.clip;
    reduce_rotations(r, shares, made);
    for (size_t i = 0; i < made.tracks.size(); ++i) {
        const Track& track = r.clip.tracks[i];
        const bool vector = track.path == TrackPath::translation || track.path == TrackPath::scale;
        if (vector && track.interpolation != Interpolation::step && track.times.size() > 1)
            reduce_vectors(r, track, shares, made.tracks[i]);
    }
    return made;
}

// All key times of the clip and the times midway between them.
std::vector<float> checking_times(const Clip& clip) {
    std::vector<float> times;
    for (const Track& track : clip.tracks) times.insert(times.end(), track.times.begin(), track.times.end());
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    std::vector<float> all;
    for (size_t i = 0; i < times.size(); ++i) {
        if (i > 0) all.push_back(0.5f * (times[i - 1] + times[i]));
        all.push_back(times[i]);
    }
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

// A key at the end for the first track, where all that lasted so long has become level.
void keep_duration(const Clip& clip, Clip& made) {
    const float end = duration(clip);
    if (duration(made) >= end || made.tracks.empty()) return;
    Track& track = made.tracks.front();
    std::vector<float> last(track.values.end() - static_cast<std::ptrdiff_t>(track.values_per_key()),
                            track.values.end());
    if (track.interpolation == Interpolation::cubic) return;
    track.times.push_back(end);
    track.values.insert(track.values.end(), last.begin(), last.end());
}

size_t key_count(const Clip& clip) {
    size_t keys = 0;
    for (const Track& track : clip.tracks) keys += track.times.size();
    return keys;
}

double joint_error(const AffineD& a, const AffineD& b, double shell) {
    double worst = (a.translation() - b.translation()).norm();
    for (int c = 0; c < 3; ++c)
        worst = std::max(worst,
                         (a.translation() - b.translation() + shell * (a.linear().col(c) - b.linear().col(c))).norm());
    return worst;
}

// Calls `with` for each time and each joint with its error.
template <class With>
void measure_errors(const Clip& a, const Clip& b, const ClipBody& body, std::span<const float> times, double shell,
                    const With& with) {
    Pose pose_a = body.rest, pose_b = body.rest;
    std::vector<AffineD> world_a(body.rest.local.size()), world_b = world_a;
    for (size_t i = 0; i < times.size(); ++i) {
        sample(a, times[i], pose_a);
        sample(b, times[i], pose_b);
        local_to_world(body.skeleton.parents(), pose_a.local, world_a);
        local_to_world(body.skeleton.parents(), pose_b.local, world_b);
        for (size_t j = 0; j < world_a.size(); ++j) with(i, j, joint_error(world_a[j], world_b[j], shell));
    }
}

// The number of the fitting time at or before each checking time.
std::vector<size_t> places_among(const std::vector<float>& checks, const std::vector<double>& times) {
    std::vector<size_t> places;
    size_t at = 0;
    for (const float check : checks) {
        while (at + 1 < times.size() && times[at + 1] <= check) ++at;
        places.push_back(at);
    }
    return places;
}

// The largest of each value and its neighbours up to `reach` away. O(n · reach), with a small reach.
std::vector<double> spread(const std::vector<double>& values, size_t reach) {
    std::vector<double> out(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
        const size_t from = i > reach ? i - reach : 0, to = std::min(i + reach, values.size() - 1);
        for (size_t k = from; k <= to; ++k) out[i] = std::max(out[i], values[k]);
    }
    return out;
}

// The error that a joint has a part in: the largest at or below it, at each time.
std::vector<std::vector<double>> blamed_errors(const Reducing& r, std::vector<std::vector<double>> errors) {
    for (size_t j = errors.size(); j-- > 0;) {
        const int32_t parent = r.body.skeleton.parents()[j];
        if (parent < 0) continue;
        std::vector<double>& above = errors[static_cast<size_t>(parent)];
        for (size_t i = 0; i < above.size(); ++i) above[i] = std::max(above[i], errors[j][i]);
    }
    return errors;
}

// A joint under which the error stays small may use more of the bound there, one under which it is too large less. When
// shares are only taken back, they are taken back more widely, and all a little, so that the bound is reached.
void learn_shares(const std::vector<std::vector<double>>& blamed, double bound, bool take_back, Shares& shares) {
    const size_t reach = take_back ? 24 : 6;                 // frames: what one key moves, and a part of it
    constexpr double aim = 0.93;                             // of the bound
    constexpr double most = 1.35, least = 0.4, eager = 0.7;  // how fast shares change
    constexpr double highest = 2.0;  // beyond it an error could jump over the bound in one round
    constexpr double everywhere = 0.93;
    for (size_t j = 0; j < shares.size(); ++j) {
        const std::vector<double> near = spread(blamed[j], reach);
        for (size_t i = 0; i < near.size(); ++i) {
            const double ratio = std::max(near[i] / bound, 1e-3);
            double change = std::pow(aim / ratio, eager);
            if (take_back) change = everywhere * std::min(aim / ratio, 1.0);
            shares[j][i] = std::min(shares[j][i] * std::clamp(change, least, most), highest);
        }
    }
}

}  // namespace

double model_space_error(const Clip& a, const Clip& b, const ClipBody& body, std::span<const float> times,
                         double shell) {
    double worst = 0.0;
    measure_errors(a, b, body, times, shell, [&](size_t, size_t, double error) { worst = std::max(worst, error); });
    return worst;
}

// Tracks that need all of the bound alone would together exceed it. How much they add up depends on the joint and the
// moment, so shares of the bound are learnt for each: what comes out is measured, and they are changed by it.
ReducedClip reduce_clip(const Clip& clip, const ClipBody& body, const ReduceOptions& options) {
    if (clip.tracks.empty()) return {clip};
    const Reducing reducing(clip, body, options);
    const std::vector<float> checks = checking_times(clip);
    const std::vector<size_t> places = places_among(checks, reducing.times);
    ReducedClip best{clip, key_count(clip), key_count(clip), 0.0};
    constexpr double first_share = 0.25;
    constexpr int learning = 7, taking_back = 12;  // rounds; the latter until the bound holds
    const size_t joints = body.rest.local.size(), count = reducing.times.size();
    Shares shares(joints, std::vector<double>(count, first_share));
    for (int round = 0; round < learning + taking_back; ++round) {
        Clip made = reduced_by(reducing, shares);
        keep_duration(clip, made);
        std::vector<std::vector<double>> errors(joints, std::vector<double>(count, 0.0));
        double worst = 0.0;
        measure_errors(clip, made, body, checks, options.shell, [&](size_t check, size_t joint, double error) {
            const size_t at = places[check];
            errors[joint][at] = std::max(errors[joint][at], error);
            if (at + 1 < count) errors[joint][at + 1] = std::max(errors[joint][at + 1], error);
            worst = std::max(worst, error);
        });
        const size_t keys = key_count(made);
        if (worst <= options.bound && keys <= best.keys_after) best = {std::move(made), best.keys_before, keys, worst};
        if (worst <= options.bound && round >= learning) break;
        learn_shares(blamed_errors(reducing, std::move(errors)), options.bound, round + 1 >= learning, shares);
    }
    return best;
}

}  // namespace sinew
