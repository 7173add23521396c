#include <sinew/edit/reduce.h>

#include <sinew/clip/clip.h>
#include <sinew/curve/fit.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

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
    std::vector<double> times;
    for (size_t k = 0; k < keys.size(); ++k) {
        const double from = k > 0 ? keys[k - 1] : keys[0], gap = keys[k] - from;
        const int parts = std::clamp(static_cast<int>(std::ceil(gap / coarsest - 1e-3)), 1, 1000);
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
        track.times.push_back(static_cast<float>(key.time));
        if (interpolation == Interpolation::cubic) put(key.in_slope);
        put(key.value);
        if (interpolation == Interpolation::cubic) put(key.out_slope);
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
                 double tolerance) {
    const bool level =
        std::ranges::all_of(values, [&](const Value& v) { return (v - values.front()).norm() <= tolerance; });
    if (level) {
        Curve<Value> one;
        one.keys.resize(1);
        one.keys[0].time = track.times.front();
        one.keys[0].value = values.front();
        return track_from(track, one, Interpolation::linear);
    }
    const Track cubic = track_from(track, fit_curve<Value>(times, values, tolerance).curve, Interpolation::cubic);
    const Track linear =
        track_from(track, fit_curve<Value>(times, values, tolerance, {Between::linear}).curve, Interpolation::linear);
    const Track& best = floats_of(cubic) < floats_of(linear) ? cubic : linear;
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

// Closed loop: a joint is fitted to what brings it to its true rotation in the world, given how its parents came out.
// So their errors do not add up in it.
void reduce_rotations(const Reducing& r, double share, Clip& made) {
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
        const double tolerance = 0.5 * share * r.options.bound / r.bone[j];
        Track& track = made.tracks[r.place[j]];
        track = fewer_keys(*r.rotation[j], r.times, wanted, tolerance);
        multiply_down(r.body.skeleton, j, sampled_rotations(track, r.times), reduced);
    }
}

void reduce_vectors(const Reducing& r, const Track& track, double share, Track& made) {
    std::vector<Vec3d> values;
    for (const double time : r.times) {
        Vec3 value;
        sample_track(track, static_cast<float>(time), value.data());
        values.push_back(value.cast<double>());
    }
    const double far = track.path == TrackPath::scale ? r.bone[static_cast<size_t>(track.target)] : 1.0;
    made = fewer_keys(track, r.times, values, share * r.options.bound / far);
}

Clip reduced_by(const Reducing& r, double share) {
    Clip made = r.clip;
    reduce_rotations(r, share, made);
    for (size_t i = 0; i < made.tracks.size(); ++i) {
        const Track& track = r.clip.tracks[i];
        const bool vector = track.path == TrackPath::translation || track.path == TrackPath::scale;
        if (vector && track.interpolation != Interpolation::step && track.times.size() > 1)
            reduce_vectors(r, track, share, made.tracks[i]);
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

}  // namespace

double model_space_error(const Clip& a, const Clip& b, const ClipBody& body, std::span<const float> times,
                         double shell) {
    Pose pose_a = body.rest, pose_b = body.rest;
    std::vector<AffineD> world_a(body.rest.local.size()), world_b = world_a;
    double worst = 0.0;
    for (const float time : times) {
        sample(a, time, pose_a);
        sample(b, time, pose_b);
        local_to_world(body.skeleton.parents(), pose_a.local, world_a);
        local_to_world(body.skeleton.parents(), pose_b.local, world_b);
        for (size_t j = 0; j < world_a.size(); ++j) worst = std::max(worst, joint_error(world_a[j], world_b[j], shell));
    }
    return worst;
}

// One number is searched for: the share of the bound that each track may use. Tracks that need all of it alone would
// together exceed it; how much they add up depends on the motion, so the result is measured.
ReducedClip reduce_clip(const Clip& clip, const ClipBody& body, const ReduceOptions& options) {
    if (clip.tracks.empty()) return {clip};
    const Reducing reducing(clip, body, options);
    const std::vector<float> times = checking_times(clip);
    ReducedClip best{clip, key_count(clip), key_count(clip), 0.0};
    double low = 0.0, high = 4.0;
    constexpr int rounds = 7;
    double share = 0.4;
    for (int round = 0; round < rounds; ++round) {
        Clip made = reduced_by(reducing, share);
        keep_duration(clip, made);
        const double error = model_space_error(clip, made, body, times, options.shell);
        if (error <= options.bound) {
            low = share;
            const size_t keys = key_count(made);
            if (keys <= best.keys_after) best = {std::move(made), best.keys_before, keys, error};
        } else {
            high = share;
        }
        // The error is nearly in proportion to the share: aim there, within the bracket.
        const double aimed = error > 0.0 ? 0.97 * share * options.bound / error : high;
        share = aimed > low && aimed < high ? aimed : 0.5 * (low + high);
    }
    return best;
}

}  // namespace sinew
