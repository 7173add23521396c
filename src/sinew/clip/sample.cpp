#include <sinew/clip/clip.h>

#include <sinew/core/check.h>
#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Quatd quaternion_at(const float* xyzw) {
    return Quatd(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
}

// A quaternion of length zero is no rotation; the identity does the least harm.
void store_unit(Eigen::Vector4d xyzw, float* out) {
    const double length = xyzw.norm();
    if (length > 0.0)
        xyzw /= length;
    else
        xyzw = Eigen::Vector4d(0, 0, 0, 1);
    for (int c = 0; c < 4; ++c) out[c] = static_cast<float>(xyzw[c]);
}

// The value of key k; a cubic key has it between its two tangents.
const float* key_value(const Track& track, size_t k) {
    const size_t offset = track.interpolation == Interpolation::cubic ? static_cast<size_t>(track.width) : 0;
    return &track.values[k * track.values_per_key() + offset];
}

// glTF 2.0 specification, appendix C: Hermite spline with tangents scaled by the distance of the keys.
double cubic(const Track& track, size_t k, double u, double dt, int c) {
    const size_t w = static_cast<size_t>(track.width);
    const float* key0 = &track.values[k * 3 * w];
    const float* key1 = key0 + 3 * w;
    const double value0 = key0[w + c], out_tangent0 = key0[2 * w + c];
    const double in_tangent1 = key1[c], value1 = key1[w + c];
    const double u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * value0 + dt * (u3 - 2 * u2 + u) * out_tangent0 + (-2 * u3 + 3 * u2) * value1 +
           dt * (u3 - u2) * in_tangent1;
}

void hold(const Track& track, size_t k, float* out) {
    const float* value = key_value(track, k);
    if (track.path == TrackPath::rotation) {
        store_unit({value[0], value[1], value[2], value[3]}, out);
    } else {
        std::copy_n(value, track.width, out);
    }
}

// The last key at or before a time that lies between the first and the last. Tracks of one clip mostly share their
// times: `guess`, the key of the track before, is then the answer, and nothing is searched.
size_t find_key(const std::vector<float>& times, float time, size_t guess) {
    if (guess + 1 < times.size() && times[guess] <= time && time < times[guess + 1]) return guess;
    return static_cast<size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin()) - 1;
}

// `key` is a guess, and then the key that was found.
void sample_track(const Track& track, float time, size_t& key, float* out) {
    const auto& times = track.times;
    // A time that is not a number holds the first key.
    if (!(time > times.front())) return hold(track, 0, out);
    if (time >= times.back()) return hold(track, times.size() - 1, out);
    const size_t k = key = find_key(times, time, key), next = k + 1;
    if (track.interpolation == Interpolation::step) return hold(track, k, out);

    const double dt = static_cast<double>(times[next]) - times[k];
    const double u = (static_cast<double>(time) - times[k]) / dt;
    const bool rotation = track.path == TrackPath::rotation;
    if (track.interpolation == Interpolation::cubic) {
        if (rotation) {
            Eigen::Vector4d xyzw;
            for (int c = 0; c < 4; ++c) xyzw[c] = cubic(track, k, u, dt, c);
            return store_unit(xyzw, out);
        }
        for (int c = 0; c < track.width; ++c) out[c] = static_cast<float>(cubic(track, k, u, dt, c));
        return;
    }
    const float* from = key_value(track, k);
    const float* to = key_value(track, next);
    if (rotation) {
        if (quaternion_at(from).coeffs().isZero(0) || quaternion_at(to).coeffs().isZero(0)) return hold(track, k, out);
        const Quatd turned = slerp(quaternion_at(from), quaternion_at(to), u);
        for (int c = 0; c < 4; ++c) out[c] = static_cast<float>(turned.coeffs()[c]);
        return;
    }
    for (int c = 0; c < track.width; ++c) out[c] = static_cast<float>(from[c] * (1.0 - u) + to[c] * u);
}

}  // namespace

void sample_track(const Track& track, float time, float* out) {
    size_t key = 0;
    sample_track(track, time, key, out);
}

void sample(const Clip& clip, float time, Pose& pose) {
    size_t key = 0;
    for (const Track& track : clip.tracks) {
        const size_t target = static_cast<size_t>(track.target);
        switch (track.path) {
            case TrackPath::translation:
                sample_track(track, time, key, pose.local[target].translation.data());
                break;
            case TrackPath::rotation:
                sample_track(track, time, key, pose.local[target].rotation.coeffs().data());
                break;
            case TrackPath::scale:
                sample_track(track, time, key, pose.local[target].scale.data());
                break;
            case TrackPath::morphs:
                sample_track(track, time, key, &pose.morphs[target]);
                break;
        }
    }
}

}  // namespace sinew
