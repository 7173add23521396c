// Clip: a named motion, as keyframed tracks over the joints and morph weights of one character, with events and numbers
// of the user's own.
// Data flow: io, motion → *here*, sample() → Pose → skeleton/pose.h (matrices).
#pragma once

#include <sinew/core/result.h>
#include <sinew/skeleton/pose.h>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew {

enum class Interpolation : uint8_t { step, linear, cubic };  // as glTF defines them; linear rotations are slerped
enum class TrackPath : uint8_t { translation, rotation, scale, morphs };

// `target` is a joint; for morphs, the first of `width` weights in Pose::morphs.
// `values` holds `width` floats per key: 3 for translation and scale, 4 (x y z w) for rotation. Cubic interpolation has
// three such groups per key: in-tangent, value, out-tangent. Times are in seconds and strictly increasing.
struct Track {
    int32_t target = 0;
    TrackPath path = TrackPath::rotation;
    Interpolation interpolation = Interpolation::linear;
    int32_t width = 4;
    std::vector<float> times;
    std::vector<float> values;

    // The number of floats in `values` that belong to one key.
    size_t values_per_key() const {
        return static_cast<size_t>(width) * (interpolation == Interpolation::cubic ? 3 : 1);
    }
    bool operator==(const Track&) const = default;
};

// Something that happens at a moment: a foot lands, a sword hits, a sound starts.
struct ClipEvent {
    float time = 0.0f;  // seconds
    std::string name;
    bool operator==(const ClipEvent&) const = default;
};

// A number of the user's own that changes over time (how far an eye is open, how strong an effect is): one value per
// key, straight lines between.
struct FloatTrack {
    std::string name;
    std::vector<float> times;  // strictly increasing
    std::vector<float> values;
    bool operator==(const FloatTrack&) const = default;
};

struct Clip {
    std::string name;
    std::vector<Track> tracks;
    int32_t source = -1;                 // number of the animation in the file it came from; −1 when Sinew made it
    std::vector<ClipEvent> events = {};  // in order of time
    std::vector<FloatTrack> floats = {};
};

// The time of the last key of any track; 0 for a clip without keys.
float duration(const Clip& clip);

// Proves what sampling relies on: targets in range, sizes that match, at least one key per track, times finite and
// strictly increasing, values finite, events in order. `where` names the track.
Result<void> validate(const Clip& clip, size_t joint_count, size_t morph_count);

// Overwrites in `pose` what the clip animates and leaves the rest alone: start from the rest pose. Before the first key
// and after the last the track holds. The clip is valid for the pose (validate()). No allocation;
// O(tracks) where tracks share their times, as they mostly do, else O(tracks · log keys). Interpolates in double and
// rounds once.
void sample(const Clip& clip, float time, Pose& pose);

// One track at one time into `width` floats; rotations come out unit. sample() is this over all tracks.
void sample_track(const Track& track, float time, float* out);

// A user's number at a time; before the first key and after the last it holds. 0 without keys. O(log keys).
float sample_float(const FloatTrack& track, float time);

// The events with from ≤ time < to, so that a player that goes on from moment to moment meets each once. For a loop
// that starts again, ask twice: up to the end, and from 0. O(log events), no allocation.
std::span<const ClipEvent> events_between(const Clip& clip, float from, float to);

}  // namespace sinew
